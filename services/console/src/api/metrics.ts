import type {
  createMetric,
  createMetricVersion,
  CreateMetricRequest,
  CreateMetricVersionRequest,
  evaluateStoredEvents,
  EvaluateStoredEventsRequest,
  getMetricAgreement,
  listMetricDecisions,
  listMetrics,
  listMetricVersions,
  MetricResponse,
  ResponseOf,
  tryMetric,
  TryMetricRequest,
  VersionResponse,
} from '@assay/contracts';
import { PEOPLE_TYPES } from '@assay/domain/browser';
import { call, callExact } from './call.js';

export type Metric = MetricResponse;
export type MetricVersion = VersionResponse;
export type NewMetric = CreateMetricRequest;
export type NewVersion = CreateMetricVersionRequest;
export type Attempt = ResponseOf<typeof tryMetric>;
export type TriedEvent = Attempt['events'][number];
export type MetricAgreement = ResponseOf<typeof getMetricAgreement>;
export type MetricDecisions = ResponseOf<typeof listMetricDecisions>;

/** A metric of a project. */
export interface MetricAddress {
  readonly project: string;
  readonly metricId: string;
}

const pathOf = ({ metricId }: MetricAddress) => `/v1/metrics/${encodeURIComponent(metricId)}`;

export const allMetrics = (project: string, signal?: AbortSignal) =>
  call<ResponseOf<typeof listMetrics>>({ method: 'GET', path: '/v1/metrics', project, signal });

export const readMetric = (metric: MetricAddress, signal?: AbortSignal) =>
  call<Metric>({ method: 'GET', path: pathOf(metric), project: metric.project, signal });

export const addMetric = (project: string, body: NewMetric) =>
  call<ResponseOf<typeof createMetric>>({ method: 'POST', path: '/v1/metrics', project, body });

/** The versions of a metric, oldest first. */
export const versionsOfMetric = (metric: MetricAddress, signal?: AbortSignal) =>
  call<ResponseOf<typeof listMetricVersions>>({
    ...{ method: 'GET', path: `${pathOf(metric)}/versions`, project: metric.project, signal },
  });

/** @param expected the version that must be deployed, or the server refuses with 409 */
export const addVersion = (metric: MetricAddress, body: NewVersion, expected?: string) =>
  call<ResponseOf<typeof createMetricVersion>>({
    ...{ method: 'POST', path: `${pathOf(metric)}/versions`, project: metric.project, body },
    query: { expected_version: expected },
  });

/** @param expected as in {@link addVersion} */
export const deployVersion = (metric: MetricAddress, version: string, expected: string) =>
  call<ResponseOf<typeof createMetricVersion>>({
    ...{ method: 'POST', path: `${pathOf(metric)}/versions/${encodeURIComponent(version)}/deploy` },
    ...{ project: metric.project, body: {}, query: { expected_version: expected } },
  });

/** Starts a job that evaluates stored events by the deployed version. */
export const evaluateStored = (metric: MetricAddress, dateRange: string) => evaluate(metric, { dateRange });

/** Starts a job that evaluates one stored event. */
export const evaluateEvent = (metric: MetricAddress, eventId: string) =>
  evaluate(metric, { filters: [{ field: 'event_id', operator: 'is', value: eventId, type: 'string' }] });

const evaluate = (metric: MetricAddress, body: EvaluateStoredEventsRequest) =>
  call<ResponseOf<typeof evaluateStoredEvents>>({
    ...{ method: 'POST', path: `${pathOf(metric)}/evaluate`, project: metric.project, body },
  });

/** How far the scores of the metric agree with those of people. */
export const agreementOfMetric = (
  metric: MetricAddress,
  query: { readonly with: string; readonly dateRange: string },
  signal?: AbortSignal,
) =>
  call<MetricAgreement>({
    ...{ method: 'GET', path: `${pathOf(metric)}/agreement`, project: metric.project, query, signal },
  });

/** Evaluates stored events by a draft, and stores nothing. */
export const tryDraft = (project: string, body: TryMetricRequest, signal: AbortSignal) =>
  callExact<Attempt>({ method: 'POST', path: '/v1/metrics/try', project, body, signal });

/** What the metric has decided in a range of time. */
export const decisionsOfMetric = (metric: MetricAddress, dateRange: string, signal?: AbortSignal) =>
  call<MetricDecisions>({
    ...{ method: 'GET', path: `${pathOf(metric)}/decisions`, project: metric.project, signal },
    query: { dateRange },
  });

/** The metrics by which people score. */
export async function metricsOfPeople(
  project: string,
  signal?: AbortSignal,
): Promise<ResponseOf<typeof listMetrics>> {
  const lists = await Promise.all(
    PEOPLE_TYPES.map((type) =>
      call<ResponseOf<typeof listMetrics>>({
        ...{ method: 'GET', path: '/v1/metrics', project, signal, query: { type } },
      }),
    ),
  );
  return { metrics: lists.flatMap(({ metrics }) => metrics) };
}
