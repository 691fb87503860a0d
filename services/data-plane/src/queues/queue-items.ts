import type { listQueueEvents, ResponseOf } from '@assay/contracts';
import type { QueueEntry } from '@assay/control-plane-client';
import {
  annotatorKey,
  isJsonObject,
  toWireEvent,
  type Caller,
  type Event,
  type JsonValue,
} from '@assay/domain';
import type { QueryOptions } from '@assay/event-store';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeCompleteEvents } from '../sessions/complete-events.js';

export type QueueItem = ResponseOf<typeof listQueueEvents>['events'][number];
type ToItem = (entry: QueueEntry) => QueueItem;

/** Characters of a preview. */
const PREVIEW_CHARS = 500;

/**
 * Returns a function that reads the events of queue entries, and returns one that converts an entry to the format of the
 * API, with its event, and with the comment and the reason, which are stored with the event.
 */
export function makeReadItems(deps: DataPlaneDeps) {
  const completeEvents = makeCompleteEvents(deps);
  return async function readItems(
    queueId: string,
    entries: readonly QueueEntry[],
    { projectId, projectName: name }: Caller,
    options: QueryOptions,
  ): Promise<ToItem> {
    const stored = await eventsOf(entries, projectId, deps, options);
    const events = await completeEvents(projectId, { events: stored }, options);
    const byId = new Map(events.map((event) => [event.event_id, event]));
    return (entry) => {
      const event = byId.get(entry.eventId);
      const note = { comment: null, reason: null };
      if (!event) return { ...toQueueEvent(entry), ...note };
      const { inputs, outputs } = event;
      return {
        ...toQueueEvent(entry),
        ...note,
        ...noteOf(event, queueId, entry),
        preview: { inputs: previewOf(inputs), outputs: previewOf(outputs) },
        event: toWireEvent(event, { name }),
      };
    };
  };
}

/** Returns an entry in the format of the API, without its event. */
export function toQueueEvent(entry: QueueEntry) {
  const { status, lease, annotator, annotators, version } = entry;
  return {
    event_id: entry.eventId,
    added_at: entry.addedAt,
    done: entry.done,
    done_at: entry.doneAt,
    status,
    lease,
    annotator,
    ...(annotators && { annotators: [...annotators] }),
    done_by: entry.doneBy,
    version,
  };
}

function noteOf({ feedback }: Event, queueId: string, { annotator }: QueueEntry) {
  const note = annotator === null ? undefined : feedback[annotatorKey(queueId, annotator)];
  if (!isJsonObject(note)) return {};
  return { comment: textOrNull(note['comment']), reason: textOrNull(note['reason']) };
}

/** A client may have written anything under the key. */
function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function previewOf(value: JsonValue): string {
  return [...JSON.stringify(value).slice(0, 2 * PREVIEW_CHARS)].slice(0, PREVIEW_CHARS).join('');
}

async function eventsOf(
  entries: readonly QueueEntry[],
  projectId: string,
  { store }: DataPlaneDeps,
  options: QueryOptions,
): Promise<Event[]> {
  if (entries.length === 0) return [];
  const keys = entries.map(({ eventId }) => ({ projectId, eventId }));
  const states = await store.states.read(keys, options);
  return [...states.values()].flatMap(({ event, changes }) =>
    event && !changes?.deleted ? withoutVersion(event) : [],
  );
}

function withoutVersion({ version: _version, ...event }: Event & { version: number }): Event {
  return event;
}
