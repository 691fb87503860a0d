import type { listEventEvaluations, ResponseOf } from '@assay/contracts';
import {
  BatchWork,
  canonicalUuid,
  hasScore,
  pendingEvaluation,
  sessionRules,
  storedExclusion,
  undecidedEvaluation,
  withTotals,
  type DeployedMetric,
  type Evaluation,
  type Event,
  type FilterWork,
  type Steps,
  type StoredSubject,
} from '@assay/domain';
import { notFound } from '@assay/errors';
import type { Operation } from '@assay/http';
import { eventKey } from '@assay/log-readers';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { readMetrics } from './read-metrics.js';

type WireEvaluation = ResponseOf<typeof listEventEvaluations>['evaluations'][number];

/**
 * Lists the evaluations of an event. Decisions that follow from the event and the metric alone are not stored, so they
 * are made here again, by the present definitions.
 */
export function makeListEventEvaluations(deps: DataPlaneDeps): Operation<typeof listEventEvaluations> {
  return ({ params }, { caller, waitMs, signal, runInTurns }) =>
    respondAfterWait(deps, waitMs, async () => {
      const { projectId } = caller;
      const eventId = canonicalUuid(params.event_id);
      const event = await deps.store.events.find(projectId, eventId, { signal });
      if (!event) throw notFound('there is no event with this event_id');
      const key = { projectId, eventId };
      const [found, metrics] = await Promise.all([
        deps.store.states.evaluations([key], { signal }),
        readMetrics(deps, projectId),
      ]);
      const stored = found.get(eventKey(key)) ?? [];
      const known = new Set(stored.map(({ metricId }) => metricId));
      const others = metrics.filter(({ id }) => !known.has(id));
      const completed = await completedFor(deps, event, { metrics: others, signal });
      const excluded = await runInTurns(exclusionSteps(others, { event, completed }));
      return { evaluations: [...stored.map(toWire), ...excluded] };
    });
}

interface Asked {
  readonly metrics: readonly DeployedMetric[];
  readonly signal: AbortSignal;
}

/** Returns a session with what it derives from its events, if a metric decides by that. */
async function completedFor(
  { store }: DataPlaneDeps,
  event: Event,
  { metrics, signal }: Asked,
): Promise<Event> {
  const { event_type: type, project_id: projectId, session_id: id } = event;
  if (type !== 'session' || metrics.every((metric) => sessionRules(metric) === undefined)) return event;
  return withTotals(event, (await store.sessions.rollups(projectId, [id], { signal })).get(id));
}

function* exclusionSteps(
  metrics: readonly DeployedMetric[],
  subject: StoredSubject,
): Steps<WireEvaluation[]> {
  const work = new BatchWork().forEvent();
  const found: WireEvaluation[] = [];
  for (const metric of metrics) {
    found.push(...(yield* exclusion(metric, subject, work)));
    yield;
  }
  return found;
}

/** A metric that applies to the event has nothing to say where a client has sent the score. */
function* exclusion(
  metric: DeployedMetric,
  subject: StoredSubject,
  work: FilterWork,
): Steps<WireEvaluation[]> {
  const decision = yield* storedExclusion(metric, subject, work);
  const none = pendingEvaluation(metric, { fingerprint: '', trigger: 0, decidedAt: 0 });
  if (decision === undefined)
    return hasScore(subject.event, metric.name)
      ? []
      : [{ ...toWire(none), decision: 'not_evaluated', decided_at: null }];
  const found = decision === 'not_decided' ? undecidedEvaluation(undefined, none) : { ...none, decision };
  return [{ ...toWire(found), decided_at: null }];
}

function toWire(evaluation: Evaluation): WireEvaluation {
  return {
    metric_id: evaluation.metricId,
    metric_name: evaluation.metricName,
    metric_version: evaluation.metricVersion,
    decision: evaluation.decision,
    reason: evaluation.reason,
    error_code: evaluation.errorClass === '' ? null : evaluation.errorClass,
    value: evaluation.value,
    explanation: evaluation.explanation === '' ? null : evaluation.explanation,
    duration_ms: evaluation.durationMs,
    cost: evaluation.cost,
    prompt_tokens: evaluation.promptTokens,
    completion_tokens: evaluation.completionTokens,
    attempts: evaluation.attempts,
    decided_at: new Date(evaluation.decidedAt).toISOString(),
  };
}
