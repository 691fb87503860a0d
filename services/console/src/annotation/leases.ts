import { ApiError } from '../api/call.js';
import {
  itemsOfQueue,
  leaseNext,
  readQueue,
  releaseItem,
  type QueueAddress,
  type QueueCounts,
} from '../api/queues.js';
import { evaluationsOfEvent } from '../api/session-tree.js';
import { toWorkItem, type WorkItem } from './item.js';

/** Who leases items of which queue. */
export interface Worker {
  readonly queue: QueueAddress;
  readonly annotator: string;
}

/** Leased entries that are looked through for one of them. */
const LOOKED_AT = 100;
/** Items that are leased to get a certain one back: the API leases the oldest. */
const MAX_TRIES = 3;

export interface Lease {
  readonly item: WorkItem | undefined;
  readonly counts: QueueCounts;
}

export async function lease({ queue, annotator }: Worker): Promise<Lease> {
  const { item, counts } = await leaseNext(queue, annotator);
  return { item: item === null ? undefined : toWorkItem(item, Date.now()), counts };
}

/** Ends leases. One that cannot be ended runs out. */
export function release({ queue, annotator }: Worker, items: readonly WorkItem[]): void {
  for (const { eventId } of items) void releaseItem(queue, eventId, annotator).catch(() => undefined);
}

/** An item whose lease has ended, and those leased to get it. */
export interface Regained {
  readonly item: WorkItem | undefined;
  /** Items that were leased on the way. */
  readonly others: readonly WorkItem[];
}

/** Leases an item again, unless another annotator has it. */
export async function regain(worker: Worker, wanted: WorkItem): Promise<Regained> {
  const others: WorkItem[] = [];
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { item } = await lease(worker);
    if (item === undefined) break;
    if (item.eventId === wanted.eventId) return { item, others };
    others.push(item);
  }
  return { item: undefined, others };
}

/** Why an item cannot be written. */
export interface Obstacle {
  readonly message: string;
  /** It is done, or has left the queue. */
  readonly isOver: boolean;
  /** The state that the page has to know, when the item is open. */
  readonly version: number | undefined;
  readonly isQueueGone?: boolean;
}

const over = (message: string): Obstacle => ({ message, isOver: true, version: undefined });

/** Returns who has an item, and its state. */
export async function findObstacle({ queue, annotator }: Worker, eventId: string): Promise<Obstacle> {
  try {
    const { status, annotator: by, version } = await releaseItem(queue, eventId, annotator);
    if (status === 'done') return over(`${by ?? 'another annotator'} has completed it`);
    if (status === 'skipped') return over(`${by ?? 'another annotator'} has skipped it`);
    return { message: 'the item has changed meanwhile, submit it again', isOver: false, version };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404) return findLoss({ queue, annotator }, eventId);
    if (error.status !== 409) throw error;
  }
  const { events } = await itemsOfQueue(queue, { status: 'leased', page: 1, limit: LOOKED_AT });
  const by = events.find((entry) => entry.event_id === eventId)?.lease?.annotator;
  return { message: `${by ?? 'another annotator'} has it now`, isOver: false, version: undefined };
}

/** Why a queue does not have an item, which it had. */
export async function findLoss({ queue }: Worker, eventId: string): Promise<Obstacle> {
  if (await isGone(readQueue(queue))) return { ...over('the queue was deleted'), isQueueGone: true };
  const isDeleted = await isGone(evaluationsOfEvent(queue.project, eventId));
  return over(isDeleted ? 'the event was deleted' : 'the item has left the queue');
}

const isGone = (read: Promise<unknown>) =>
  read.then(
    () => false,
    (error: unknown) => error instanceof ApiError && error.status === 404,
  );
