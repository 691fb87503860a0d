import type {
  backfillQueue,
  createQueue,
  CreateQueueRequest,
  getQueueStatistics,
  listQueueEvents,
  listQueues,
  nextQueueEvent,
  QueueMetricStatistics,
  QueueResponse,
  releaseQueueEvent,
  ResponseOf,
  updateQueueEvent,
  UpdateQueueEventRequest,
  UpdateQueueRequest,
} from '@assay/contracts';
import { call } from './call.js';

export type Queue = QueueResponse;
export type NewQueue = CreateQueueRequest;
export type QueueChange = UpdateQueueRequest;
export type QueueStatistics = ResponseOf<typeof getQueueStatistics>;
export type MetricAgreement = QueueMetricStatistics;
export type QueueItem = ResponseOf<typeof listQueueEvents>['events'][number];
export type QueueCounts = ResponseOf<typeof listQueueEvents>['counts'];
export type Entry = ResponseOf<typeof updateQueueEvent>;
export type Judgement = UpdateQueueEventRequest;

/** A queue of a project. */
export interface QueueAddress {
  readonly project: string;
  readonly queueId: string;
}

const pathOf = ({ queueId }: QueueAddress) => `/v1/queues/${encodeURIComponent(queueId)}`;
const itemPath = (queue: QueueAddress, eventId: string) =>
  `${pathOf(queue)}/events/${encodeURIComponent(eventId)}`;

/** A body that a request which outlives its page may have, in characters: each has up to three bytes. */
const MAX_KEPT_ALIVE = 20_000;

export const allQueues = (project: string, signal?: AbortSignal) =>
  call<ResponseOf<typeof listQueues>>({ method: 'GET', path: '/v1/queues', project, signal });

export const readQueue = (queue: QueueAddress, signal?: AbortSignal) =>
  call<Queue>({ method: 'GET', path: pathOf(queue), project: queue.project, signal });

export const addQueue = (project: string, body: NewQueue) =>
  call<ResponseOf<typeof createQueue>>({ method: 'POST', path: '/v1/queues', project, body });

export const changeQueue = (queue: QueueAddress, body: QueueChange) =>
  call<ResponseOf<typeof createQueue>>({ method: 'PUT', path: pathOf(queue), project: queue.project, body });

export const removeQueue = (queue: QueueAddress) =>
  call<unknown>({ method: 'DELETE', path: pathOf(queue), project: queue.project });

export const statisticsOfQueue = (queue: QueueAddress, signal?: AbortSignal) =>
  call<QueueStatistics>({
    ...{ method: 'GET', path: `${pathOf(queue)}/statistics`, project: queue.project, signal },
  });

export const itemsOfQueue = (
  queue: QueueAddress,
  query: {
    readonly status?: string | undefined;
    readonly done?: boolean;
    readonly page: number;
    readonly limit: number;
  },
  signal?: AbortSignal,
) =>
  call<ResponseOf<typeof listQueueEvents>>({
    ...{ method: 'GET', path: `${pathOf(queue)}/events`, project: queue.project, query, signal },
  });

/** Adds the stored events that the filters of the queue select. */
export const backfill = (queue: QueueAddress, dateRange?: string | Record<string, string>) =>
  call<ResponseOf<typeof backfillQueue>>({
    ...{ method: 'POST', path: `${pathOf(queue)}/backfill`, project: queue.project },
    body: dateRange === undefined ? {} : { dateRange },
  });

export const leaseNext = (queue: QueueAddress, annotator: string) =>
  call<ResponseOf<typeof nextQueueEvent>>({
    ...{ method: 'POST', path: `${pathOf(queue)}/next`, project: queue.project, body: { annotator } },
  });

/** Completes, skips or reopens an item. A tab that closes meanwhile still sends it. */
export function writeItem(queue: QueueAddress, eventId: string, judgement: Judgement): Promise<Entry> {
  const body = JSON.stringify(judgement);
  return call<Entry>({
    ...{ method: 'PUT', path: itemPath(queue, eventId), project: queue.project, body },
    keepalive: body.length <= MAX_KEPT_ALIVE,
  });
}

/** Ends the lease of an item; also a closed tab does. */
export const releaseItem = (queue: QueueAddress, eventId: string, annotator: string) =>
  call<ResponseOf<typeof releaseQueueEvent>>({
    ...{ method: 'DELETE', path: `${itemPath(queue, eventId)}/lease`, project: queue.project },
    ...{ query: { annotator }, keepalive: true },
  });
