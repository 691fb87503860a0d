import { hasScore, isFirstEvaluation, type Evaluation, type Event } from '@assay/domain';

interface KnownEvaluations {
  /** The last result of this process. */
  readonly last: Evaluation | undefined;
  readonly loadStored: () => Promise<readonly Evaluation[]>;
}

/**
 * Returns whether a client has set the score of the event while the evaluation waited or ran: it is the first one by its
 * metric, and no evaluation is known to have had this result.
 */
export async function isSetByClient(
  evaluation: Evaluation,
  event: Event,
  { last, loadStored }: KnownEvaluations,
): Promise<boolean> {
  const { metricId, metricName } = evaluation;
  if (!isFirstEvaluation(evaluation) || !hasScore(event, metricName)) return false;
  const isResult = (known: Evaluation | undefined) =>
    known?.decision === 'scored' && known.value === event.metrics[metricName];
  if (isResult(last)) return false;
  return !(await loadStored()).some((known) => known.metricId === metricId && isResult(known));
}
