import type { QueueItem } from '../api/queues.js';
import type { PayloadSource } from '../payload/source.js';
import type { Values } from './fields.js';

/** An event of a queue, without its payload: a worker reads that. */
export interface WorkItem {
  readonly eventId: string;
  readonly sessionId: string;
  readonly type: string;
  readonly name: string;
  /** Number of changes of the entry that the page has seen. */
  readonly version: number;
  /** Changes when the event does. */
  readonly state: string;
  readonly scores: Readonly<Record<string, unknown>>;
  readonly feedback: Readonly<Record<string, unknown>>;
  /** When the lease ends, by the clock of this page. */
  readonly leaseEndsAt: number;
}

/** What a person has typed about an item. */
export interface Typed {
  readonly values: Values;
  readonly comment: string;
}

export const NOTHING_TYPED: Typed = { values: {}, comment: '' };

/** The clock of the server may differ from this one, the length of a lease does not. */
export const LEASE_MS = 10 * 60_000;

export function toWorkItem({ event_id: eventId, version, event }: QueueItem, now: number): WorkItem {
  const fields: Readonly<Record<string, unknown>> = event ?? {};
  return {
    ...{ eventId, version, leaseEndsAt: now + LEASE_MS },
    sessionId: textOf(fields['session_id']),
    type: textOf(fields['event_type']),
    name: textOf(fields['event_name']),
    state: JSON.stringify([fields['end_time'], fields['duration'], version]),
    scores: objectOf(fields['metrics']),
    feedback: objectOf(fields['feedback']),
  };
}

export const sourceOf = (project: string, { eventId, state }: WorkItem): PayloadSource => ({
  ...{ project, eventId, version: state },
});

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
