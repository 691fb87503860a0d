/** Ends the name under which the explanation of a score is kept. */
const EXPLANATION = '_explanation';

/** Returns the name under which the scores of a metric are explained. */
export function explanationOf(metricName: string): string {
  return `${metricName}${EXPLANATION}`;
}

/** Returns the name of the metric that a name may explain; undefined for the name of no explanation. */
export function explainedBy(name: string): string | undefined {
  return name.endsWith(EXPLANATION) ? name.slice(0, -EXPLANATION.length) : undefined;
}

/**
 * Returns whether a name is that of an explanation. A metric may have such a name, and then it is none: its values are scores,
 * and no explanation replaces or removes them.
 * @param metrics the defined metrics by name
 */
export function isExplanation(name: string, metrics: Pick<ReadonlySet<string>, 'has'>): boolean {
  return explainedBy(name) !== undefined && !metrics.has(name);
}
