import type { Comparison } from '../api/run-results.js';
import { all, first, type Search } from '../url/search.js';

export const SELECTIONS = ['worse', 'better', 'same', 'missing', 'error'] as const;
export type Selection = (typeof SELECTIONS)[number];
export const SORTS = ['loss', 'gain', 'datapoint'] as const;
export type Sort = (typeof SORTS)[number];
export const DIFFS = ['words', 'json', 'off'] as const;
export type DiffMode = (typeof DIFFS)[number];
export const AGGREGATES = ['average', 'min', 'max', 'median', 'p90', 'p95', 'p99', 'sum', 'count'] as const;
export type Aggregate = (typeof AGGREGATES)[number];

/** All that a person chooses in a comparison. The address has it, and nothing else has. */
export interface CompareView {
  /** Metric that orders the datapoints; undefined: whether all scores passed. */
  readonly metric: string | undefined;
  /** Name of the events that the metric is about. */
  readonly event: string | undefined;
  readonly only: readonly Selection[];
  readonly sort: Sort;
  readonly diff: DiffMode;
  readonly aggregate: Aggregate;
  /** Datapoint under the cursor; undefined: the first one. */
  readonly datapoint: string | undefined;
}

export function readCompareView(search: Search): CompareView {
  const text = (name: string) => first(search, name)?.slice(0, 1_000);
  return {
    metric: text('metric')?.slice(0, 200),
    event: text('event'),
    only: SELECTIONS.filter((one) => all(search, 'only').includes(one)),
    sort: SORTS.find((one) => one === first(search, 'sort')) ?? 'loss',
    diff: DIFFS.find((one) => one === first(search, 'diff')) ?? 'words',
    aggregate: AGGREGATES.find((one) => one === first(search, 'agg')) ?? 'average',
    datapoint: text('dp'),
  };
}

/** Returns the query of a view. What is as by default is left out. */
export function printCompareView({
  metric,
  event,
  only,
  sort,
  diff,
  aggregate,
  datapoint,
}: CompareView): Search {
  return {
    metric,
    event,
    only: only.length === 0 ? undefined : only,
    sort: sort === 'loss' ? undefined : sort,
    diff: diff === 'words' ? undefined : diff,
    agg: aggregate === 'average' ? undefined : aggregate,
    dp: datapoint,
  };
}

type Compared = { readonly metrics: readonly Pick<Comparison['metrics'][number], Named | Counted>[] };
type Named = 'metric_name' | 'event_name' | 'statistics';
type Counted = 'improved_count' | 'degraded_count';

/**
 * Returns the view with the metric that orders the datapoints when the address names none. Without a condition to pass
 * every datapoint is the same by passing: then it is the first metric by which one is better or worse.
 */
export function withMetric(view: CompareView, { metrics }: Compared): CompareView {
  const canPass = metrics.some(({ statistics }) => statistics.mcnemar !== null);
  if (view.metric !== undefined || canPass) return view;
  const changed = metrics.find((one) => one.improved_count + one.degraded_count > 0);
  return changed ? { ...view, metric: changed.metric_name, event: changed.event_name } : view;
}
