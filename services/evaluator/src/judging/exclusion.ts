import {
  evaluationAfter,
  isRequested,
  sessionEvaluation,
  undecidedEvaluation,
  unmatchedEvaluation,
  type Evaluation,
} from '@assay/domain';
import { prepareOnRequest, type PreparedMetric } from '../definitions/project-metrics.js';
import { exclusionNow } from '../definitions/exclusion-now.js';
import { closed, type Ended, type RunTaskDeps, type Step } from './evaluation-step.js';

/** Returns the end of an evaluation whose metric does not apply, or does not any more, or of which that is not decided. */
export async function exclusionOf(
  deps: RunTaskDeps,
  deployed: PreparedMetric,
  { evaluation, event, task, work }: Step,
): Promise<Ended | undefined> {
  const isAsked = isRequested(evaluation);
  const subject = { event, work, totals: () => deps.sessions.totals(task.projectId, event.session_id) };
  const exclusion = await exclusionNow(isAsked ? prepareOnRequest(deployed.metric) : deployed, subject);
  if (exclusion === undefined) return undefined;
  const decidedAt = deps.now();
  if (exclusion === 'not_decided')
    return { evaluation: { ...undecidedEvaluation(evaluation, evaluation), decidedAt }, isScore: false };
  if (exclusion !== 'unmatched')
    return closed(deps, evaluation, exclusion, 'the event or the metric was changed');
  const ended = { ...unmatchedEvaluation(evaluation), decidedAt };
  // A job decides immediately, also about a session that is not quiet: unless the metric is off, it decides again later.
  const isLater = isAsked && (await exclusionNow(deployed, subject)) === 'unmatched';
  return { evaluation: isLater ? waitingAfter(ended) : ended, isScore: false };
}

function waitingAfter(ended: Evaluation): Evaluation {
  const { metricId: id, metricVersion: version, metricName: name, fingerprint, trigger, decidedAt } = ended;
  const waiting = sessionEvaluation({ id, version, name }, { fingerprint, trigger: trigger + 1, decidedAt });
  return evaluationAfter(ended, waiting);
}
