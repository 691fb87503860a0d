import { ValueType, type HrTime } from '@opentelemetry/api';
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type Histogram,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import type { MetricFamily, MetricValue } from '@assay/runtime';

/** In Unix milliseconds. */
export interface MetricTimes {
  /** Since when values are counted. */
  readonly startedAt: number;
  readonly now: number;
}

/** Converts counters, gauges and histograms of Prometheus. A summary has no form in OTLP that backends agree on, and is left out. */
export function toOtlpMetrics(families: readonly MetricFamily[], times: MetricTimes): MetricData[] {
  return families.flatMap((family) => toOtlpMetric(family, times) ?? []);
}

function toOtlpMetric(family: MetricFamily, times: MetricTimes): MetricData | undefined {
  const { name, help: description, type, values } = family;
  const shared = {
    descriptor: { name, description, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (type === 'counter')
    return {
      ...shared,
      dataPointType: DataPointType.SUM,
      isMonotonic: true,
      dataPoints: points(values, times),
    };
  if (type === 'gauge')
    return { ...shared, dataPointType: DataPointType.GAUGE, dataPoints: points(values, times) };
  if (type === 'histogram')
    return { ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(name, values, times) };
  return undefined;
}

function timesOf({ startedAt, now }: MetricTimes) {
  return { startTime: hrTime(startedAt), endTime: hrTime(now) };
}

function hrTime(ms: number): HrTime {
  return [Math.floor(ms / 1_000), Math.floor((ms % 1_000) * 1_000_000)];
}

function points(values: readonly MetricValue[], times: MetricTimes): DataPoint<number>[] {
  return values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ labels, value }) => ({ ...timesOf(times), attributes: { ...labels }, value }));
}

interface Series {
  readonly attributes: Record<string, string | number>;
  /** Upper bound and cumulative count, as Prometheus has them. */
  readonly buckets: (readonly [number, number])[];
  sum: number;
  count: number;
}

function histograms(
  name: string,
  values: readonly MetricValue[],
  times: MetricTimes,
): DataPoint<Histogram>[] {
  const series = new Map<string, Series>();
  for (const { labels, value, metricName } of values) {
    const { le, ...attributes } = labels;
    const key = JSON.stringify(attributes);
    const one = series.get(key) ?? { attributes, buckets: [], sum: 0, count: 0 };
    series.set(key, one);
    if (metricName === `${name}_sum`) one.sum = value;
    else if (metricName === `${name}_count`) one.count = value;
    else if (le !== undefined && le !== '+Inf') one.buckets.push([Number(le), value]);
  }
  return [...series.values()].map((one) => ({
    ...timesOf(times),
    attributes: one.attributes,
    value: histogramOf(one),
  }));
}

/** Buckets of OTLP count what is between their bounds; the last one has no upper bound. */
function histogramOf({ buckets, sum, count }: Series): Histogram {
  const sorted = [...buckets].sort(([left], [right]) => left - right);
  const cumulative = [...sorted.map(([, total]) => total), count];
  const counts = cumulative.map((total, index) => total - (cumulative[index - 1] ?? 0));
  return { buckets: { boundaries: sorted.map(([bound]) => bound), counts }, sum, count };
}
