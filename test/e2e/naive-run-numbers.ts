/** A scored event as it is sent, in a session of its own. */
export interface SentScore {
  readonly session_id: string;
  readonly event_id: string;
  readonly datapoint_id: string;
  readonly accuracy: number;
  readonly polite: boolean;
}

/** Name and type of the scored events. */
export const SCORED = { event_name: 'answer', event_type: 'chain' } as const;
/** `metadata.passing_ranges` of the runs. */
export const PASSING_RANGES = { accuracy: { min: 0.25 } } as const;

const CLIENT_SIDE = { ...SCORED, metric_type: 'CLIENT_SIDE' } as const;
const isAccurate = ({ accuracy }: SentScore) => accuracy >= PASSING_RANGES.accuracy.min;
const idsOf = (scores: readonly SentScore[]) => scores.map(({ datapoint_id }) => datapoint_id);
const average = (values: readonly number[]) => values.reduce((all, value) => all + value, 0) / values.length;
const largest = (values: readonly number[]) => Math.max(...values);

/** The scores of each metric, by its name. */
const valuesOf = (scores: readonly SentScore[]) => ({
  accuracy: scores.map(({ accuracy }) => accuracy),
  polite: scores.map(({ polite }) => Number(polite)),
});

/**
 * The result of a run, computed step by step from what was sent, in the order of the sessions. All scores are multiples
 * of 1/32, so that sums are exact in any order.
 */
export function naiveResult(scores: readonly SentScore[], aggregation_function: 'average' | 'max'): object {
  const [passed, failed] = [scores.filter(isAccurate), scores.filter((one) => !isAccurate(one))].map(idsOf);
  const aggregate = aggregation_function === 'max' ? largest : average;
  const detail = (metric_name: 'accuracy' | 'polite', more: object) => {
    const values = valuesOf(scores)[metric_name];
    return { ...CLIENT_SIDE, metric_name, aggregate: aggregate(values), values, ...more };
  };
  return {
    ...{ status: 'completed', success: failed?.length === 0, passed, failed },
    metrics: {
      aggregation_function,
      details: [
        detail('accuracy', { passing_range: PASSING_RANGES.accuracy, datapoints: { passed, failed } }),
        detail('polite', { datapoints: { passed: idsOf(scores), failed: [] } }),
      ],
    },
    datapoints: scores.map((one) => ({
      datapoint_id: one.datapoint_id,
      session_id: one.session_id,
      passed: isAccurate(one),
      metrics: [
        { name: 'accuracy', ...SCORED, value: one.accuracy, passed: isAccurate(one) },
        { name: 'polite', ...SCORED, value: one.polite, passed: true },
      ],
    })),
  };
}

/** The averages of a run in a list of runs. */
export function naiveAverages(scores: readonly SentScore[]): object {
  const { accuracy, polite } = valuesOf(scores);
  return { accuracy: average(accuracy), polite: average(polite) };
}

/** The comparison of two runs without what depends on resampling, likewise. Each datapoint is in a run once. */
export function naiveComparison(old: readonly SentScore[], now: readonly SentScore[]): object {
  const pairs = old.flatMap((before) =>
    now.filter((one) => one.datapoint_id === before.datapoint_id).map((after) => [before, after] as const),
  );
  const [before, after] = [valuesOf(pairs.map(([one]) => one)), valuesOf(pairs.map(([, one]) => one))];
  const compare = (metric_name: 'accuracy' | 'polite') => {
    const changes = before[metric_name].map((value, index) => (after[metric_name][index] ?? NaN) - value);
    const idsWhere = (sign: number) =>
      pairs.flatMap(([one], index) => (Math.sign(changes[index] ?? NaN) === sign ? [one.datapoint_id] : []));
    const [improved, degraded, same] = [idsWhere(1), idsWhere(-1), idsWhere(0)];
    const old_aggregate = average(valuesOf(old)[metric_name]);
    const new_aggregate = average(valuesOf(now)[metric_name]);
    const difference = new_aggregate - old_aggregate;
    return {
      ...{ ...CLIENT_SIDE, metric_name, old_aggregate, new_aggregate, difference },
      percentage_change: (difference / old_aggregate) * 100,
      ...{ improved, degraded, same, found_count: pairs.length },
      improved_count: improved.length,
      degraded_count: degraded.length,
      same_count: same.length,
      old_values: before[metric_name],
      new_values: after[metric_name],
      statistics: { pairs: pairs.length, mean_difference: average(changes) },
    };
  };
  return {
    metrics: [compare('accuracy'), compare('polite')],
    commonDatapoints: pairs.map(([one]) => one.datapoint_id),
  };
}
