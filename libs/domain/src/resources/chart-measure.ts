import { validationError } from '@assay/errors';
import { eventPath, ROOT_FIELDS } from '../events/filter/event-path.js';
import { EVENT_FIELDS } from '../events/event-shape.js';

/** What a chart shows: a value of events, and how the values of a bucket are aggregated. */
export interface ChartMeasure {
  /** A field of events, or the name of a metric. */
  readonly metric: string;
  /** Absent: the default of the chart's reader. */
  readonly func: string | null;
}

/** Functions that need no number. */
const COUNTING = ['count', 'distinct'] as const;
/** Aggregation functions of charts. Any case is accepted. */
export const CHART_FUNCTIONS = [
  ...COUNTING,
  ...['sum', 'avg', 'average', 'mean', 'median', 'min', 'max'],
  ...['p50', 'p75', 'p80', 'p90', 'p95', 'p98', 'p99'],
] as const;

/** How the values of a bucket become one number. Quantiles interpolate linearly between the closest ranks. */
export type ChartAggregation =
  | { readonly kind: 'count' | 'distinct' | 'sum' | 'average' | 'min' | 'max' }
  | { readonly kind: 'quantile'; readonly level: number };

const NAMED: ReadonlyMap<string, ChartAggregation> = new Map<string, ChartAggregation>([
  ...(['count', 'distinct', 'sum', 'min', 'max'] as const).map((kind) => [kind, { kind }] as const),
  ...['avg', 'average', 'mean'].map((name) => [name, { kind: 'average' }] as const),
  ['median', { kind: 'quantile', level: 0.5 }],
]);

/** What a chart aggregates. */
export interface ChartValue {
  /** A field of events, such as `duration` or `metrics.accuracy`. */
  readonly field: string;
  readonly aggregation: ChartAggregation;
}

/**
 * Returns what a chart aggregates: the average by default, and the number of values of a field that has no numbers.
 * The name of a metric stands for its scores.
 * @throws AppError `VALIDATION_ERROR` as {@link checkChartMeasure}
 */
export function acceptChartMeasure({ metric, func }: ChartMeasure, funcName?: string): ChartValue {
  checkChartMeasure({ metric, func }, funcName);
  const root = rootOf(metric);
  const name =
    func?.toLowerCase() ?? (root === undefined || holdsNumbers(root, metric) ? 'average' : 'count');
  return { field: root === undefined ? `metrics.${metric}` : metric, aggregation: aggregationOf(name) };
}

function aggregationOf(name: string): ChartAggregation {
  return NAMED.get(name) ?? { kind: 'quantile', level: Number(name.slice(1)) / 100 };
}

/** @throws AppError `VALIDATION_ERROR` if no event has the field, or it is too long */
export function checkChartGroup(groupBy: string): void {
  if (groupBy.length > MAX_GROUP_LENGTH || groupBy.split('.').includes('') || !eventPath(groupBy))
    throw validationError('groupBy must be a field of events, such as event_name or metadata.environment');
}

const MAX_GROUP_LENGTH = 1_000;
const MAX_METRIC_NAME_LENGTH = 200;
const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * Checks what a chart shows before it is stored. `funcName` is what the request calls the function.
 * @throws AppError `VALIDATION_ERROR` for a field that no event has, an unknown function, and a function that
 * needs numbers on a field that has none
 */
export function checkChartMeasure({ metric, func }: ChartMeasure, funcName = 'func'): void {
  const root = rootOf(metric);
  const name = func?.toLowerCase();
  if (name !== undefined && !CHART_FUNCTIONS.some((known) => known === name))
    throw validationError(`${funcName} must be one of: ${CHART_FUNCTIONS.join(', ')}`);
  if (root === undefined || name === undefined || COUNTING.some((known) => known === name)) return;
  if (!holdsNumbers(root, metric))
    throw validationError(`${funcName} must be count or distinct for the metric ${root}`);
}

/** Returns the field of events that the metric begins with; undefined for the name of a metric. */
function rootOf(metric: string): string | undefined {
  const first = /^[^.[]*/.exec(metric)?.[0];
  const root = ROOT_FIELDS.find((field) => field === first);
  if (root === undefined) {
    if (metric.trim() === '' || metric.length > MAX_METRIC_NAME_LENGTH || CONTROL_CHARACTER.test(metric))
      throw validationError(
        `metric must be a field of events, or the name of a metric of at most ${MAX_METRIC_NAME_LENGTH} characters`,
      );
    return undefined;
  }
  if (metric.split('.').includes('') || !eventPath(metric))
    throw validationError('metric must be a field of events, such as duration or metadata.cost');
  return root;
}

function holdsNumbers(root: string, metric: string): boolean {
  const field = Object.entries(EVENT_FIELDS).find(([name]) => name === root)?.[1];
  if (field === undefined) return false;
  return field.type.startsWith('number') || (field.type === 'object' && metric !== root);
}
