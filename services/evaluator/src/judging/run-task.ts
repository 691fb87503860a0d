import { encodeEvaluations, encodeRecord } from '@assay/contracts';
import {
  acceptUpdate,
  appliesOnRequest,
  BatchWork,
  inputFingerprint,
  inSteps,
  isRequested,
  keptEvaluation,
  undecidedEvaluation,
  type DeployedMetric,
  type Evaluation,
  type FilterWork,
  type JsonObject,
} from '@assay/domain';
import type { LogRecord } from '@assay/event-log';
import type { EventState } from '@assay/event-store';
import { MAX_ATTEMPTS } from '@assay/judges';
import { createYieldToEventLoop, runCooperatively } from '@assay/runtime';
import { LRUCache } from 'lru-cache';
import type { MetricDefinitions } from '../definitions/metric-definitions.js';
import type { PreparedMetric, ProjectMetrics } from '../definitions/project-metrics.js';
import {
  evaluateMetric,
  failed,
  type EvaluateMetricDeps,
  type EvaluationOutcome,
} from './evaluate-metric.js';
import { isSetByClient } from './is-set-by-client.js';
import { MAX_TIMEOUTS, PAUSE_MS, TimeoutPauses } from './timeout-pauses.js';
import type { Task } from './task-queue.js';

export interface RunTaskDeps extends EvaluateMetricDeps {
  readonly definitions: Pick<MetricDefinitions, 'of'>;
  /** Returns the present state of the event of a task; undefined when it does not exist. */
  readonly loadEvent: (task: Task) => Promise<StoredEvent | undefined>;
  /** Returns the stored evaluations of the event of a task. */
  readonly loadEvaluations: (task: Task) => Promise<readonly Evaluation[]>;
  /** Resolves when the records are durable; retries until then. Rejects only when the process stops. */
  readonly append: (records: readonly LogRecord[]) => Promise<void>;
  /** Called after each evaluation by a judge. */
  readonly onJudged: (task: Task, outcome: EvaluationOutcome) => void;
  /** Called when the code of a metric is paused, because it did not end in time too often. */
  readonly onPaused?: (task: Task, metric: DeployedMetric) => void;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

export type StoredEvent = NonNullable<EventState['event']>;

/** How the evaluations of a task ended. */
export interface TaskOutcome {
  readonly completed: readonly Evaluation[];
  /** Evaluations to be carried out later. */
  readonly postponed: readonly Evaluation[];
}

/** LRU capacity: results that a later decision about the same input may ask for. */
const MAX_RESULTS = 10_000;
const EXPLANATION = '_explanation';
const PAUSED: EvaluationOutcome['result'] = {
  ...failed(
    'paused',
    `the code was not run: the metric is paused for ${PAUSE_MS / 1_000} s after ${MAX_TIMEOUTS} timeouts in a row`,
  ),
  decision: 'timeout',
};

interface Step {
  readonly task: Task;
  readonly event: StoredEvent;
  readonly metrics: ProjectMetrics;
  readonly evaluation: Evaluation;
  readonly work: FilterWork;
  /** Aborts when the process stops, and when another one continues the task. */
  readonly signal: AbortSignal;
}

interface Prepared extends Step {
  readonly metric: DeployedMetric;
}

/** An evaluation that ended; `isScore` unless the event has the score already. */
interface Ended {
  readonly evaluation: Evaluation;
  readonly isScore: boolean;
}

/** An evaluation to be carried out later, with its attempts so far. */
interface Postponed {
  readonly postponed: Evaluation;
}

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
    const event = outcome.isScore ? await deps.loadEvent(task) : undefined;
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
    if (await isSet(task, evaluation, event))
      return { evaluation: { ...keptEvaluation(evaluation), decidedAt: deps.now() }, isScore: false };
    const started = { ...evaluation, metricVersion: metric.version, fingerprint: inputFingerprint(event) };
    const known = results.get(resultKey(task, started));
    if (known?.fingerprint === started.fingerprint && isReusable(known, evaluation))
      return { evaluation: { ...known, ...causeOf(evaluation) }, isScore: false };
    const evaluate = metric.type === 'LLM' ? judge : run;
    return evaluate({ ...deps, pauses }, { ...step, metric }, started);
  }

  return async function runTask(task: Task, signal = deps.signal): Promise<TaskOutcome> {
    const metrics = await deps.definitions.of(task.projectId);
    const event = await deps.loadEvent(task);
    if (!event) return closeAll(deps, task);
    const work = new BatchWork().forEvent();
    const done: Ended[] = [];
    const [superseded, postponed]: [Evaluation[], Evaluation[]] = [[], []];
    for (const evaluation of task.evaluations) {
      const outcome = await evaluateStep({ task, event, metrics, evaluation, work, signal });
      if ('postponed' in outcome) postponed.push(outcome.postponed);
      else done.push(await keepClientScore(task, outcome, evaluation));
      if ('evaluation' in outcome && outcome.evaluation.metricVersion !== evaluation.metricVersion)
        superseded.push(closed(deps, evaluation, 'disabled', 'another version was deployed').evaluation);
    }
    const completed = [...superseded, ...done.map(({ evaluation }) => evaluation)];
    if (completed.length === 0) return { completed, postponed };
    await appendResults(deps, signal, [...patchOf(event, done), evaluationsRecord(event, completed)]);
    for (const { evaluation } of done) results.set(resultKey(task, evaluation), evaluation);
    return { completed, postponed };
  };
}

/** Returns the end of an evaluation whose metric does not apply any more, or of which that is not decided. */
async function exclusionOf(
  deps: RunTaskDeps,
  { metric, appliesTo }: PreparedMetric,
  { evaluation, event, work }: Step,
): Promise<Ended | undefined> {
  const rule = isRequested(evaluation) ? appliesOnRequest(metric) : appliesTo;
  const exclusion = await runCooperatively(inSteps(rule(event, work)), createYieldToEventLoop());
  if (exclusion === undefined) return undefined;
  if (exclusion !== 'not_decided')
    return closed(deps, evaluation, exclusion, 'the event or the metric was changed');
  const undecided = { ...undecidedEvaluation(evaluation, evaluation), decidedAt: deps.now() };
  return { evaluation: undecided, isScore: false };
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
  const { result, isPostponed } = await evaluateMetric(deps, step, step.signal);
  if (isPostponed) return { postponed: step.evaluation };
  if (pauses.record(key, result.decision === 'timeout')) deps.onPaused?.(task, metric);
  return ended(deps, started, result);
}

/**
 * Returns how many requests an evaluation by a judge may still send. Those of earlier processes count, so that one that
 * crashes again and again pays no more.
 */
export function attemptsLeft({ attempts }: Pick<Evaluation, 'attempts'>): number {
  return Math.max(0, MAX_ATTEMPTS - attempts);
}

async function judge(deps: RunTaskDeps, step: Prepared, started: Evaluation): Promise<Ended | Postponed> {
  const maxAttempts = attemptsLeft(started);
  if (maxAttempts === 0)
    return ended(deps, started, failed('execution_error', 'the evaluation was interrupted too often'));
  let attempt = started;
  const beforeAttempt = () => {
    attempt = { ...attempt, attempts: attempt.attempts + 1 };
    return deps.append([evaluationsRecord(step.event, [attempt])]);
  };
  const outcome = await evaluateMetric(
    deps,
    { ...step, attempts: { maxAttempts, beforeAttempt } },
    step.signal,
  );
  const postponed = { ...step.evaluation, attempts: attempt.attempts };
  if (step.signal.aborted) return { postponed };
  deps.onJudged(step.task, outcome);
  return outcome.isPostponed ? { postponed } : ended(deps, attempt, outcome.result);
}

function resultKey({ projectId, eventId }: Task, { metricId, metricVersion }: Evaluation): string {
  return `${projectId}/${eventId}/${metricId}/${metricVersion}`;
}

function ended({ now }: RunTaskDeps, started: Evaluation, result: EvaluationOutcome['result']): Ended {
  return { evaluation: { ...started, ...result, decidedAt: now() }, isScore: result.decision === 'scored' };
}

function closed(
  { now }: RunTaskDeps,
  evaluation: Evaluation,
  decision: Evaluation['decision'],
  reason: string,
): Ended {
  return { evaluation: { ...evaluation, decision, reason, decidedAt: now() }, isScore: false };
}

/** The event was deleted: the `store` reader removes the evaluations when it sees them. */
async function closeAll(deps: RunTaskDeps, task: Task): Promise<TaskOutcome> {
  const completed = task.evaluations.map(
    (evaluation) => closed(deps, evaluation, 'error', 'the event does not exist').evaluation,
  );
  const content = { sessionId: task.eventId, evaluations: completed };
  await deps.append([encodeEvaluations(task, content)]);
  return { completed, postponed: [] };
}

function evaluationsRecord(event: StoredEvent, evaluations: readonly Evaluation[]): LogRecord {
  const { project_id: projectId, event_id: eventId, session_id: sessionId } = event;
  return encodeEvaluations({ projectId, eventId }, { sessionId, evaluations });
}

/** A score without an explanation removes that of the score before. */
function patchOf(event: StoredEvent, done: readonly Ended[]): LogRecord[] {
  const metrics: JsonObject = {};
  for (const { evaluation, isScore } of done) {
    if (!isScore) continue;
    const explained = `${evaluation.metricName}${EXPLANATION}`;
    metrics[evaluation.metricName] = evaluation.value;
    if (evaluation.explanation !== '') metrics[explained] = evaluation.explanation;
    else if ((event.metrics[explained] ?? null) !== null) metrics[explained] = null;
  }
  if (Object.keys(metrics).length === 0) return [];
  const value = Buffer.from(JSON.stringify(acceptUpdate({ metrics })));
  const { project_id: projectId, event_id: eventId } = event;
  return [encodeRecord({ kind: 'patch', projectId, eventId, fresh: false, value })];
}
