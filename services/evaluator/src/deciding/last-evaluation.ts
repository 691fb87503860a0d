import type { Evaluation } from '@assay/domain';

/** Returns the newest evaluation by a metric, whichever version it was. */
export function lastOf(evaluations: readonly Evaluation[], metricId: string): Evaluation | undefined {
  return evaluations
    .filter((evaluation) => evaluation.metricId === metricId)
    .reduce<Evaluation | undefined>(
      (last, one) => (last && last.trigger >= one.trigger ? last : one),
      undefined,
    );
}

/** Returns the trigger of an evaluation that follows the last one. */
export function triggerAfter(
  { version }: { readonly version: number },
  last: Evaluation | undefined,
): number {
  return last === undefined ? version : Math.max(version, last.trigger + 1);
}

/** Returns whether this input was decided about. */
export function hasEvaluated(last: Evaluation | undefined, fingerprint: string): boolean {
  return last?.fingerprint === fingerprint && last.decision !== 'not_decided';
}
