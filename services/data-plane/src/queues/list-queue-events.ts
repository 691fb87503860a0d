import type { ResponseOf, listQueueEvents } from '@assay/contracts';
import type { QueueEntryPage } from '@assay/control-plane-client';
import { toWireEvent, type Event } from '@assay/domain';
import type { QueryOptions } from '@assay/event-store';
import { notFound } from '@assay/errors';
import { mapItems, streamJson, type Operation } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import { makeCompleteEvents } from '../sessions/complete-events.js';

/** Events per page when the request names no limit. */
const DEFAULT_LIMIT = 100;

/**
 * Lists the events of a queue with their values. The control plane holds the entries of the queue, the event
 * store of the data plane holds the events.
 * @throws AppError `NOT_FOUND`, `UNAVAILABLE` when the control plane is unreachable
 */
export function makeListQueueEvents(deps: DataPlaneDeps): Operation<typeof listQueueEvents> {
  const completeEvents = makeCompleteEvents(deps);
  return ({ params, query }, context) => {
    const { caller, waitMs } = context;
    return respondAfterWait(deps, waitMs, async () => {
      const { signal } = context;
      const { limit = DEFAULT_LIMIT, page = 1, done: isDone } = query;
      const { projectId, projectName: name } = caller;
      const entries = { projectId, queueId: params.queue_id, isDone, limit, offset: (page - 1) * limit };
      const found = await deps.controlPlane.queueEntries(entries, { signal });
      if (!found) throw notFound('queue not found');
      const stored = await eventsOf(found, projectId, deps, { signal });
      const events = await completeEvents(projectId, stored, { signal });
      const byId = new Map(events.map((event) => [event.event_id, event]));
      const toResponse = (entry: Entry) => {
        const event = byId.get(entry.eventId);
        return toQueueEvent(entry, event && toWireEvent(event, { name }));
      };
      return streamJson<ResponseOf<typeof listQueueEvents>>({
        events: mapItems(found.entries, toResponse),
        total: found.total,
      });
    });
  };
}

type Entry = QueueEntryPage['entries'][number];
type QueueEvent = ResponseOf<typeof listQueueEvents>['events'][number];

function toQueueEvent(
  { eventId: event_id, addedAt: added_at, done, doneAt: done_at }: Entry,
  event: QueueEvent['event'],
): QueueEvent {
  return { event_id, added_at, done, done_at, ...(event && { event }) };
}

async function eventsOf(
  { entries }: QueueEntryPage,
  projectId: string,
  { store }: DataPlaneDeps,
  options: QueryOptions,
): Promise<Event[]> {
  if (entries.length === 0) return [];
  const keys = entries.map(({ eventId }) => ({ projectId, eventId }));
  const states = await store.states(keys, options);
  return [...states.values()].flatMap(({ event, changes }) =>
    event && !changes?.deleted ? withoutVersion(event) : [],
  );
}

function withoutVersion({ version: _version, ...event }: Event & { version: number }): Event {
  return event;
}
