import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** Metrics of one process in Prometheus' text format. Names start with `assay_` and contain the unit. */
export interface Metrics {
  counter<L extends string>(name: string, help: string, labels?: readonly L[]): Counter<L>;
  /** `collect` sets the values at each scrape. */
  gauge<L extends string>(
    name: string,
    help: string,
    labels?: readonly L[],
    collect?: (gauge: Gauge<L>) => void,
  ): Gauge<L>;
  /** `buckets` are upper bounds in the metric's unit. */
  histogram<L extends string>(
    name: string,
    help: string,
    buckets: readonly number[],
    labels?: readonly L[],
  ): Histogram<L>;
  /** Returns the values of all metrics. */
  families(): Promise<readonly MetricFamily[]>;
  /** Returns the body of a scrape. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** A metric with its values. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly values: readonly MetricValue[];
}

/** One value. A histogram has one for each bucket (label `le`, cumulative), and its sum and count under other names. */
export interface MetricValue {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  /** Name of a part of a histogram. */
  readonly metricName?: string;
}

/** Creates a separate registry, so that several services can run in one process. `processMetrics` adds the metrics of Node. */
export function createMetrics(options: { processMetrics: boolean }): Metrics {
  const registry = new Registry();
  if (options.processMetrics) collectDefaultMetrics({ register: registry });
  const once = <M>(name: string, make: () => M): M =>
    (registry.getSingleMetric(name) as M | undefined) ?? make();
  return {
    counter: (name, help, labels = []) =>
      once(name, () => new Counter({ name, help, labelNames: [...labels], registers: [registry] })),
    gauge: <L extends string>(
      name: string,
      help: string,
      labels: readonly L[] = [],
      collect?: (gauge: Gauge<L>) => void,
    ) =>
      once(name, () => {
        const gauge: Gauge<L> = new Gauge<L>({
          name,
          help,
          labelNames: [...labels],
          registers: [registry],
          ...(collect && { collect: () => collect(gauge) }),
        });
        return gauge;
      }),
    histogram: (name, help, buckets, labels = []) =>
      once(
        name,
        () =>
          new Histogram({
            name,
            help,
            buckets: [...buckets],
            labelNames: [...labels],
            registers: [registry],
          }),
      ),
    families: async () => (await registry.getMetricsAsJSON()) as unknown as readonly MetricFamily[],
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
