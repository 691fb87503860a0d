import type {
  chartEvents,
  EventChart,
  EventRowResponse,
  getEventsSchema,
  listEventValues,
  listRejections,
  pageEvents,
  PageEventsRequest,
  ResponseOf,
} from '@assay/contracts';
import { call, callExact, send } from './call.js';
import { withNumbers } from './parse-exact.js';

export type EventRow = EventRowResponse & {
  /** Name of the root event of a session that has no name of its own. */
  readonly root_name?: string;
};
export type EventPage = ResponseOf<typeof pageEvents>;
export type PageRequest = PageEventsRequest;
export type FieldValues = ResponseOf<typeof listEventValues>;
export type Chart = ResponseOf<typeof chartEvents> & EventChart;
export type EventsSchema = ResponseOf<typeof getEventsSchema>;
export type Rejection = ResponseOf<typeof listRejections>['rejections'][number];

/** Conditions and range of a list, as requests have them. */
export interface Selection {
  readonly filters: readonly unknown[];
  readonly dateRange: string | object;
}

/** Values of metadata, metrics and properties of users may be `bigint`; all other fields are as the contract states them. */
export async function pageOfEvents(
  project: string,
  body: PageRequest,
  signal?: AbortSignal,
): Promise<EventPage> {
  const request = { method: 'POST', path: '/v1/events/page', project, body, signal } as const;
  const page = await callExact<EventPage>(request);
  return { ...page, events: page.events.map(withNumbers) };
}

/** Resolves once queries find everything that was accepted before, as far as the server manages within 5 seconds. */
export const settle = (project: string) =>
  call<EventPage>({
    ...{ method: 'POST', path: '/v1/events/page', project, headers: { Prefer: 'wait=5' } },
    body: { filters: [], limit: 1, columns: ['event_id'], count: 'none' } satisfies PageRequest,
  });

export const valuesOfField = (
  project: string,
  query: Selection & { readonly field: string; readonly prefix?: string },
  signal?: AbortSignal,
) =>
  callExact<FieldValues>({ method: 'GET', path: '/v1/events/values', project, query: { ...query }, signal });

/** Counts events over time. */
export const countsOverTime = (project: string, query: Selection, signal?: AbortSignal) =>
  call<Chart>({
    ...{ method: 'GET', path: '/v1/events/chart', project, signal },
    query: { ...query, metric: 'duration', aggregation: 'count', bucket: 'auto' },
  });

export const schemaOfEvents = (project: string, signal?: AbortSignal) =>
  call<EventsSchema>({ method: 'GET', path: '/v1/events/schema', project, signal });

/** Begins an export of every selected event, one JSON object per line. */
export const exportEvents = (project: string, body: Selection, signal: AbortSignal) =>
  send({
    ...{ method: 'POST', path: '/v1/events/export', project, body, signal },
    headers: { Accept: 'application/x-ndjson' },
  });

export const rejectedRequests = (project: string, signal?: AbortSignal) =>
  call<{ readonly rejections: readonly Rejection[] }>({
    ...{ method: 'GET', path: '/v1/ingest/rejections', project, signal },
  });

/** Sends spans by the route that every exporter uses. It knows keys only: the cookie of the console means nothing there. */
export const sendSpans = (key: string, body: unknown) =>
  call<unknown>({
    ...{ method: 'POST', path: '/v1/traces', body },
    headers: { Authorization: `Bearer ${key}` },
  });
