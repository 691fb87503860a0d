import {
  awaitsQuiet,
  evaluationAfter,
  inputFingerprint,
  isRequested,
  isUnmatched,
  keepsScore,
  sessionEvaluation,
  traitsOf,
  type DeployedMetric,
  type Evaluation,
} from '@assay/domain';
import { hasChanged } from './changes.js';
import type { DecisionInput } from './decision-input.js';
import { hasEvaluated, lastOf, triggerAfter } from './last-evaluation.js';

/**
 * Decides about the metrics for which the events of a session decide whether it matches. Such an evaluation waits until the
 * session is quiet. It is decided again, with the time of this change, until then; and later when the session did not match.
 */
export function decideWhenQuiet({
  event,
  applying,
  evaluations,
  changes,
  ...input
}: DecisionInput): Evaluation[] {
  if (!hasChanged(changes) || applying.ofSession.length === 0) return [];
  const fingerprint = inputFingerprint(event);
  return applying.ofSession.flatMap((metric) => {
    const last = lastOf(evaluations, metric.id);
    const isSettled = traitsOf(metric).hasChildren
      ? last !== undefined && isRequested(last)
      : hasSettled(last, fingerprint) || keepsScore(last, event, metric.name);
    if (isSettled || isNoted(last, { metric, fingerprint, ...input })) return [];
    const cause = { fingerprint, trigger: triggerAfter(event, last), decidedAt: input.now };
    return [evaluationAfter(last, sessionEvaluation(metric, cause))];
  });
}

function hasSettled(last: Evaluation | undefined, fingerprint: string): boolean {
  return last !== undefined && hasEvaluated(last, fingerprint) && !awaitsQuiet(last) && !isUnmatched(last);
}

interface Change extends Pick<DecisionInput, 'now' | 'quiet'> {
  readonly metric: DeployedMetric;
  readonly fingerprint: string;
}

/** Returns whether an evaluation waits already, with the time of a change of the same step. */
function isNoted(last: Evaluation | undefined, { metric, fingerprint, now, quiet }: Change): boolean {
  if (last === undefined || !awaitsQuiet(last) || last.fingerprint !== fingerprint) return false;
  return last.metricVersion === metric.version && now - last.decidedAt < quiet.stepMs;
}
