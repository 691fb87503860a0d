import type { exportEvaluations, MovedEvaluation } from '@assay/contracts';
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
      const found =
        present.length === 0
          ? new Map<string, readonly Evaluation[]>()
          : await deps.store.states.evaluations(present, { signal });
      return {
        events: present.map((key) => ({
          event_id: key.eventId,
          evaluations: ended(found.get(eventKey(key)) ?? []),
        })),
      };
    });
}

/** Oldest first; of equal age by metric and version, so that the order is the same everywhere. */
function ended(evaluations: readonly Evaluation[]): MovedEvaluation[] {
  const name = ({ metricId, metricVersion }: Evaluation) => `${metricId} ${metricVersion}`;
  return evaluations
    .filter(({ decision }) => decision !== 'pending')
    .sort((a, b) => a.trigger - b.trigger || (name(a) < name(b) ? -1 : 1))
    .map(toMoved);
}

function toMoved(evaluation: Evaluation): MovedEvaluation {
  return {
    metric_id: evaluation.metricId,
    metric_version: evaluation.metricVersion,
    metric_name: evaluation.metricName,
    decision: evaluation.decision,
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
