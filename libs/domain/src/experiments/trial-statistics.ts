import { mean } from './aggregate.js';
import { byDatapoint, type ScoreSeries } from './score-series.js';

/** The scores of one datapoint, of which it has several when its trials are repeated. */
export interface TrialStatistics {
  readonly datapoint_id: string;
  readonly n: number;
  readonly mean: number;
  /** Standard deviation of the scores as a sample; null for one score. */
  readonly spread: number | null;
}

/** Returns the statistics of each datapoint of a metric; undefined when none of them has several scores. */
export function repeatedTrials(series: ScoreSeries): TrialStatistics[] | undefined {
  if (new Set(series.datapointIds).size === series.values.length) return undefined;
  const scores = byDatapoint(series);
  const statistics = [...scores].map(([datapoint_id, values]) => ({
    datapoint_id,
    n: values.length,
    ...centered(values),
  }));
  return statistics.some(({ n }) => n > 1) ? statistics : undefined;
}

/** Returns the standard deviation of a sample; null for fewer than two values. */
export function spreadOf(values: readonly number[]): number | null {
  return centered(values).spread;
}

/** The squares are added with rounding: they are not negative, so that the sum is as good as each of them. */
function centered(values: readonly number[]): Pick<TrialStatistics, 'mean' | 'spread'> {
  const center = mean(values);
  if (values.length < 2) return { mean: center, spread: null };
  let squares = 0;
  for (const value of values) squares += (value - center) ** 2;
  return { mean: center, spread: Math.min(Math.sqrt(squares / (values.length - 1)), Number.MAX_VALUE) };
}
