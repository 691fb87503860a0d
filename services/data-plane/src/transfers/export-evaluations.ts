import type { exportEvaluations, MovedEvaluation, ResponseOf } from '@assay/contracts';
import type { EventKey } from '@assay/event-store';
import { canonicalUuid, type Evaluation } from '@assay/domain';
import type { Operation } from '@assay/http';
import { eventKey } from '@assay/log-readers';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

/** Reads the evaluations of events that have ended; those that wait are decided again where the event moves to. */
export function makeExportEvaluations(deps: DataPlaneDeps): Operation<typeof exportEvaluations> {
  return ({ body }, { caller, waitMs, signal }) =>
    respondAfterWait(deps, waitMs, async () => {
      const ids = [...new Set(body.event_ids.map(canonicalUuid))];
      const keys = ids.map((eventId) => ({ projectId: caller.projectId, eventId }));
      const states = await deps.store.states.read(
        keys.map((key) => ({ ...key, withoutPayload: true })),
        { signal },
      );
      const present = keys.filter((key) => states.get(eventKey(key))?.event !== undefined);
      return readEvaluations(deps, present, signal);
    });
}

/** Evaluations of so many events are read together. */
const IN_ONE_READ = 100;
/** Approximate size of a response, in characters of JSON. */
const MAX_CHARS = 8 * 1024 * 1024;

/** Reads until the response is large. The first event is always part of it, so that a client which asks again makes progress. */
async function readEvaluations(
  { store }: DataPlaneDeps,
  keys: readonly EventKey[],
  signal: AbortSignal,
): Promise<ResponseOf<typeof exportEvaluations>> {
  const events: ResponseOf<typeof exportEvaluations>['events'] = [];
  let chars = 0;
  for (let from = 0; from < keys.length && chars < MAX_CHARS; from += IN_ONE_READ) {
    const part = keys.slice(from, from + IN_ONE_READ);
    const found = await store.states.evaluations(part, { signal });
    for (const key of part) {
      if (chars >= MAX_CHARS) break;
      const evaluations = ended(found.get(eventKey(key)) ?? []);
      events.push({ event_id: key.eventId, evaluations });
      for (const one of evaluations) chars += charsOf(one);
    }
  }
  return { events, unread: keys.slice(events.length).map(({ eventId }) => eventId) };
}

/** Besides its texts an evaluation has about as many characters. */
const OTHER_CHARS = 500;

function charsOf({ reason, explanation, value }: MovedEvaluation): number {
  const ofValue = typeof value === 'string' ? value.length : 0;
  return reason.length + explanation.length + ofValue + OTHER_CHARS;
}

/** Oldest first; of equal age by metric and version, so that the order is the same everywhere. */
function ended(evaluations: readonly Evaluation[]): MovedEvaluation[] {
  const name = ({ metricId, metricVersion }: Evaluation) => `${metricId} ${metricVersion}`;
  return evaluations
    .toSorted((a, b) => a.trigger - b.trigger || (name(a) < name(b) ? -1 : 1))
    .flatMap((one) => (one.decision === 'pending' ? [] : [toMoved(one, one.decision)]));
}

function toMoved(evaluation: Evaluation, decision: MovedEvaluation['decision']): MovedEvaluation {
  return {
    metric_id: evaluation.metricId,
    metric_version: evaluation.metricVersion,
    metric_name: evaluation.metricName,
    decision,
    reason: evaluation.reason,
    value: evaluation.value,
    explanation: evaluation.explanation,
    error_code: evaluation.errorClass,
    duration_ms: evaluation.durationMs,
    cost: evaluation.cost,
    prompt_tokens: evaluation.promptTokens,
    completion_tokens: evaluation.completionTokens,
    attempts: evaluation.attempts,
    fingerprint: evaluation.fingerprint,
    decided_at: evaluation.decidedAt,
    job_id: evaluation.jobId ?? '',
  };
}
