import { childlessEvaluation, hasScore, isFirstEvaluation } from '@assay/domain';
import { combinedScore } from '../kinds/composite.js';
import type { Ended, Prepared, RunTaskDeps } from './evaluation-step.js';

/**
 * Computes a composite of a session whose events decide whether it matches. The score is written only when that changes the
 * session, so that writing it leads to no further change.
 */
export async function combineSession(
  deps: RunTaskDeps,
  { evaluation, event, metric, metrics, task }: Prepared,
): Promise<Ended> {
  const sources = await deps.sessions.scores(task.projectId, event.session_id);
  const value = combinedScore(metric, { sources, rules: metrics.rules });
  const started = { ...evaluation, metricVersion: metric.version, decidedAt: deps.now() };
  if (value === undefined) {
    const hadScore = !isFirstEvaluation(evaluation) && hasScore(event, metric.name);
    return { evaluation: childlessEvaluation(started), isScore: hadScore, isComputed: true };
  }
  const isScore = event.metrics[metric.name] !== value;
  return { evaluation: { ...started, decision: 'scored', reason: '', value }, isScore, isComputed: true };
}
