import { encodeEvaluationsInParts, encodeRecord, inParts } from '@assay/contracts';
import {
  acceptUpdate,
  BatchWork,
  explanationOf,
  inputFingerprint,
  isUnmatched,
  keptEvaluation,
  traitsOf,
  type Evaluation,
  type JsonObject,
} from '@assay/domain';
import type { LogRecord } from '@assay/event-log';
import { LRUCache } from 'lru-cache';
import type { ProjectMetrics } from '../definitions/project-metrics.js';
import { kindOf } from '../kinds/kinds.js';
import type { EvaluationOutcome } from '../kinds/metric-kind.js';
import { failed } from '../kinds/results.js';
import { combineSession } from './combine-session.js';
import {
  closed,
  ended,
  evaluationsRecords,
  isLate,
  late,
  type Ended,
  type Postponed,
  type Prepared,
  type RunTaskDeps,
  type Step,
  type StoredEvent,
  type TaskOutcome,
} from './evaluation-step.js';
import { exclusionOf } from './exclusion.js';
import { isSetByClient } from './is-set-by-client.js';
import { runJudge } from './run-judge.js';
import { MAX_TIMEOUTS, PAUSE_MS, TimeoutPauses } from './timeout-pauses.js';
import type { Task } from './task-queue.js';

/** LRU capacity: results that a later decision about the same input may ask for. */
const MAX_RESULTS = 10_000;
const PAUSED: EvaluationOutcome['result'] = {
  ...failed(
    'paused',
    `the code was not run: the metric is paused for ${PAUSE_MS / 1_000} s after ${MAX_TIMEOUTS} timeouts in a row`,
  ),
  decision: 'timeout',
};

/**
 * Returns a function that carries out the evaluations of a task and appends their results in one call: a patch with all
 * scores, and the evaluations. Before each request to a model, its attempt is recorded durably. The function rejects, and
 * appends no result, when its own signal has aborted, because another process continues the task.
 */
export function makeRunTask(deps: RunTaskDeps) {
  const results = new LRUCache<string, Evaluation>({ max: MAX_RESULTS });
  const pauses = new TimeoutPauses(deps.now);

  const isSet = (task: Task, evaluation: Evaluation, event: StoredEvent) =>
    isSetByClient(evaluation, event, {
      last: results.get(resultKey(task, evaluation)),
      loadStored: () => deps.loadEvaluations(task),
    });

  /** Drops the score of an evaluation if a client has set one in the meantime. */
  async function keepClientScore(task: Task, outcome: Ended, from: Evaluation): Promise<Ended> {
    const event = outcome.isScore && outcome.isComputed !== true ? await deps.loadEvent(task) : undefined;
    if (!event || !(await isSet(task, from, event))) return outcome;
    return { evaluation: keptEvaluation(outcome.evaluation), isScore: false };
  }

  async function evaluateStep(step: Step): Promise<Ended | Postponed> {
    const { evaluation, event, metrics, task } = step;
    const prepared = metrics.get(evaluation.metricId);
    if (!prepared) return closed(deps, evaluation, 'disabled', 'the metric was deleted');
    const { metric } = prepared;
    const excluded = await exclusionOf(deps, prepared, step);
    if (excluded) return excluded;
    if (traitsOf(metric).hasChildren) return combineSession(deps, { ...step, metric });
    if (await isSet(task, evaluation, event))
      return { evaluation: { ...keptEvaluation(evaluation), decidedAt: deps.now() }, isScore: false };
    const started = { ...evaluation, metricVersion: metric.version, fingerprint: inputFingerprint(event) };
    const known = results.get(resultKey(task, started));
    if (known?.fingerprint === started.fingerprint && isReusable(known, evaluation))
      return { evaluation: { ...known, ...causeOf(evaluation) }, isScore: false };
    return (traitsOf(metric).needsModel ? runJudge : run)({ ...deps, pauses }, { ...step, metric }, started);
  }

  return async function runTask(task: Task, signal = deps.signal): Promise<TaskOutcome> {
    const metrics = await deps.definitions.of(task.projectId);
    const event = await deps.loadEvent(task);
    if (!event) return closeAll(deps, task);
    const work = new BatchWork().forEvent();
    const done: Ended[] = [];
    const [superseded, postponed]: [Evaluation[], Postponed[]] = [[], []];
    for (const evaluation of task.evaluations) {
      const outcome = await evaluateStep({ task, event, metrics, evaluation, work, signal });
      if ('postponed' in outcome) postponed.push(outcome);
      else done.push(await keepClientScore(task, outcome, evaluation));
      if ('evaluation' in outcome && outcome.evaluation.metricVersion !== evaluation.metricVersion)
        superseded.push(closed(deps, evaluation, 'disabled', 'another version was deployed').evaluation);
    }
    const completed = [...superseded, ...done.map(({ evaluation }) => evaluation)];
    if (completed.length === 0) return taskOutcome(completed, postponed);
    await appendResults(deps, signal, resultRecords({ event, done, metrics, completed }));
    for (const { evaluation } of done.filter(isResult)) results.set(resultKey(task, evaluation), evaluation);
    return taskOutcome(completed, postponed);
  };
}

function taskOutcome(completed: readonly Evaluation[], later: readonly Postponed[]): TaskOutcome {
  const repetition = later.some((one) => one.repetition === 'rarely') ? 'rarely' : 'soon';
  return { completed, postponed: later.map(({ postponed }) => postponed), repetition };
}

/** Whether a session matches is decided each time. */
function isResult({ evaluation }: Ended): boolean {
  return evaluation.decision !== 'pending' && !isUnmatched(evaluation);
}

function causeOf({ trigger, jobId }: Evaluation): Pick<Evaluation, 'trigger' | 'jobId'> {
  return { trigger, ...(jobId !== undefined && { jobId }) };
}

/** Results that are known when the process stops are appended; those of a task that another process continues are not. */
function appendResults(deps: RunTaskDeps, signal: AbortSignal, records: readonly LogRecord[]): Promise<void> {
  if (!deps.signal.aborted) signal.throwIfAborted();
  return deps.append(records);
}

/** A failure is the result of a decision that was made before it, and a later one repeats the evaluation. */
function isReusable(known: Evaluation, { decidedAt }: Evaluation): boolean {
  return known.decision === 'scored' || known.decidedAt >= decidedAt;
}

async function run(
  { pauses, ...deps }: RunTaskDeps & { readonly pauses: TimeoutPauses },
  step: Prepared,
  started: Evaluation,
): Promise<Ended | Postponed> {
  const { metric, task } = step;
  const key = `${task.projectId}/${metric.id}/${metric.version}`;
  if (pauses.isPaused(key)) return ended(deps, started, PAUSED);
  const { result, isPostponed } = await kindOf(metric).evaluate(deps, step, step.signal);
  if (isPostponed)
    return isLate(deps, started) ? ended(deps, started, late(result)) : { postponed: step.evaluation };
  if (pauses.record(key, result.decision === 'timeout')) deps.onPaused?.(task, metric);
  return ended(deps, started, result);
}

function resultKey({ projectId, eventId }: Task, { metricId, metricVersion }: Evaluation): string {
  return `${projectId}/${eventId}/${metricId}/${metricVersion}`;
}

/** The event was deleted: the `store` reader removes the evaluations when it sees them. */
async function closeAll(deps: RunTaskDeps, task: Task): Promise<TaskOutcome> {
  const completed = task.evaluations.map(
    (evaluation) => closed(deps, evaluation, 'error', 'the event does not exist').evaluation,
  );
  const content = { sessionId: task.eventId, evaluations: completed };
  await deps.append(encodeEvaluationsInParts(task, content));
  return { completed, postponed: [], repetition: 'soon' };
}

interface Results {
  readonly event: StoredEvent;
  readonly done: readonly Ended[];
  readonly completed: readonly Evaluation[];
  readonly metrics: ProjectMetrics;
}

function resultRecords({ event, done, metrics, completed }: Results): LogRecord[] {
  return [...patches(event, done, metrics), ...evaluationsRecords(event, completed)];
}

/** Returns the scores and explanations as patches that every topic takes. */
function patches(event: StoredEvent, done: readonly Ended[], metrics: ProjectMetrics): LogRecord[] {
  const bytesOf = ({ evaluation }: Ended) => Buffer.byteLength(JSON.stringify(evaluation));
  return inParts(done, bytesOf).flatMap((part) => patch(event, part, metrics));
}

/** A score without an explanation removes that of the score before. A metric of that name is another one. */
function patch(event: StoredEvent, done: readonly Ended[], { rules }: ProjectMetrics): LogRecord[] {
  const metrics: JsonObject = {};
  for (const { evaluation, isScore } of done) {
    if (!isScore) continue;
    const explained = explanationOf(evaluation.metricName);
    metrics[evaluation.metricName] = evaluation.value;
    if (rules.has(explained)) continue;
    if (evaluation.explanation !== '') metrics[explained] = evaluation.explanation;
    else if ((event.metrics[explained] ?? null) !== null) metrics[explained] = null;
  }
  if (Object.keys(metrics).length === 0) return [];
  const value = Buffer.from(JSON.stringify(acceptUpdate({ metrics })));
  const { project_id: projectId, event_id: eventId } = event;
  return [encodeRecord({ kind: 'patch', projectId, eventId, fresh: false, value })];
}
