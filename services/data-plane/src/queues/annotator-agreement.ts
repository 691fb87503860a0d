import type { QueueMetricStatistics } from '@assay/contracts';
import {
  agreementOf,
  fleissKappa,
  hasScoreType,
  readAnnotatorKey,
  scoreLabel,
  type JsonObject,
  type MetricDefinition,
} from '@assay/domain';
import type { Steps } from '@assay/runtime';

/** The labels that annotators gave to one event, by annotator. */
type Labels = ReadonlyMap<string, string>;

const MAX_METRICS = 50;
/** Annotators of a metric that are compared in pairs. */
const MAX_ANNOTATORS = 10;

/** Metrics that people score, by name. */
export type HumanMetrics = ReadonlyMap<string, Pick<MetricDefinition, 'type' | 'return_type'>>;

/**
 * Returns the agreement of annotators on each metric, from what they said in the feedback of events.
 * Values that are no score of their metric are missing: updates of events are not checked against metrics.
 */
export function* annotatorAgreementSteps(
  feedbacks: readonly JsonObject[],
  metrics: HumanMetrics,
): Steps<QueueMetricStatistics[]> {
  const byMetric = yield* labelSteps(feedbacks, metrics);
  const statistics: QueueMetricStatistics[] = [];
  for (const metric of [...byMetric.keys()].sort().slice(0, MAX_METRICS)) {
    statistics.push(yield* metricSteps(metric, byMetric.get(metric) ?? []));
    yield;
  }
  return statistics;
}

function* labelSteps(
  feedbacks: readonly JsonObject[],
  metrics: HumanMetrics,
): Steps<ReadonlyMap<string, readonly Labels[]>> {
  const byMetric = new Map<string, Labels[]>();
  for (const feedback of feedbacks) {
    const ofEvent = new Map<string, Map<string, string>>();
    for (const [key, value] of Object.entries(feedback)) {
      const [of, label] = [readAnnotatorKey(key), scoreLabel(value)];
      const metric = of && metrics.get(of.name);
      if (!metric || label === undefined || !hasScoreType(value, metric)) continue;
      const labels = ofEvent.get(of.name) ?? new Map<string, string>();
      ofEvent.set(of.name, labels.set(of.annotator, label));
    }
    for (const [name, labels] of ofEvent) {
      const events = byMetric.get(name) ?? [];
      events.push(labels);
      byMetric.set(name, events);
    }
    yield;
  }
  return byMetric;
}

function* metricSteps(metric: string, events: readonly Labels[]): Steps<QueueMetricStatistics> {
  const counts = new Map<string, number>();
  for (const labels of events)
    for (const annotator of labels.keys()) counts.set(annotator, (counts.get(annotator) ?? 0) + 1);
  const annotators = [...counts]
    .map(([annotator, count]) => ({ annotator, events: count }))
    .sort((a, b) => b.events - a.events || (a.annotator < b.annotator ? -1 : 1))
    .slice(0, MAX_ANNOTATORS);
  const pairs: QueueMetricStatistics['pairs'] = [];
  for (const [first, second] of pairsOf(annotators.map(({ annotator }) => annotator))) {
    const { n, accuracy, kappa } = agreementOf(commonLabels(events, first, second));
    if (n > 0) pairs.push({ annotators: [first, second], n, accuracy, kappa });
    yield;
  }
  const several = events.filter(({ size }) => size > 1);
  return {
    metric,
    annotators,
    events: several.length,
    fleiss_kappa: fleissKappa(several.map((labels) => [...labels.values()])),
    pairs,
  };
}

function pairsOf(annotators: readonly string[]): (readonly [string, string])[] {
  return annotators.flatMap((first, index) =>
    annotators.slice(index + 1).map((second) => [first, second] as const),
  );
}

function commonLabels(events: readonly Labels[], first: string, second: string) {
  return events.flatMap((labels) => {
    const [reference, rated] = [labels.get(first), labels.get(second)];
    return reference === undefined || rated === undefined ? [] : [{ reference, rated }];
  });
}
