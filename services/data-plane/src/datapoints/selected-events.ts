import { parseStoredEvent, type Event } from '@assay/domain';
import { AppError, validationError } from '@assay/errors';
import type { EventPage, EventQuery, EventsPort } from '@assay/event-store';
import { MAX_BATCH_DATAPOINTS } from '@assay/contracts';
import type { Selection } from './selection.js';

/** A page of the selected events, with named ids that do not exist. */
export interface SelectedPage {
  readonly events: readonly Event[];
  readonly missing: readonly string[];
}

/** Maximum events of a page; fewer when they are large. */
const PAGE_SIZE = 250;
/** Matching events that one search finds. They are read a few megabytes at a time. */
const MAX_FOUND = 7_500;

/** Where the events of a project are read. */
export interface SelectionSource {
  readonly events: Pick<EventsPort, 'search' | 'startPage' | 'continuePage'>;
  readonly projectId: string;
  readonly signal: AbortSignal;
}

/**
 * Yields the selected events page by page: named events in their order, then matching events, newest first.
 * Each event is yielded once. One search finds at most `maxFound` of the matching events, 250 to 7,500.
 * @throws AppError `VALIDATION_ERROR` before the first page when more events match than one request may
 * select
 */
export async function* selectedEvents(
  source: SelectionSource,
  selection: Selection,
  maxFound = MAX_FOUND,
): AsyncGenerator<SelectedPage> {
  if (selection.matching) await checkCount(source, selection);
  yield* namedEvents(source, selection.named);
  if (!selection.matching) return;
  const seen = new Set([...selection.named, ...selection.excluded]);
  for await (const events of matchingEvents(source, selection.matching, maxFound)) {
    const unseen = events.filter(({ event_id: id }) => !seen.has(id));
    for (const { event_id: id } of unseen) seen.add(id);
    for (let from = 0; from < unseen.length; from += PAGE_SIZE)
      yield { events: unseen.slice(from, from + PAGE_SIZE), missing: [] };
  }
}

/** Searches the events of the project. */
export function search(
  { events, projectId, signal }: SelectionSource,
  query: EventQuery,
): Promise<EventPage> {
  return events.search(projectId, query, { signal });
}

async function checkCount(source: SelectionSource, { named, matching }: Selection): Promise<void> {
  if (!matching) return;
  const { total } = await search(source, { ...matching, limit: 1, offset: 0, ordered: false });
  if (total + named.length <= MAX_BATCH_DATAPOINTS) return;
  throw validationError(
    `selectAll selects more than ${MAX_BATCH_DATAPOINTS} events: narrow filters or dateRange`,
  );
}

async function* namedEvents(source: SelectionSource, ids: readonly string[]): AsyncGenerator<SelectedPage> {
  let size = PAGE_SIZE;
  for (let from = 0; from < ids.length;) {
    const named = ids.slice(from, from + size);
    const filters = [{ field: 'event_id', operator: 'in', type: 'string', value: named }] as const;
    const page = await unlessTooLarge(
      () => search(source, { filters, limit: size, offset: 0, ordered: false }),
      size,
    );
    if (page) {
      const byId = new Map(page.events.map((event) => [event.event_id, event]));
      yield {
        events: named.flatMap((id) => byId.get(id) ?? []),
        missing: named.filter((id) => !byId.has(id)),
      };
      from += named.length;
    }
    size = nextSize(size, page);
  }
}

/**
 * Yields matching events by keyset pagination: each search continues below the start time of the last event,
 * after those of the same time that were read, so that concurrent writes and deletes shift no page. An event
 * may be yielded twice.
 */
async function* matchingEvents(
  source: SelectionSource,
  { from, to, filters }: NonNullable<Selection['matching']>,
  limit: number,
): AsyncGenerator<readonly Event[]> {
  let before = to;
  let offset = 0;
  for (;;) {
    const found = { total: 0, lastTime: before, ofLastTime: 0 };
    for await (const part of readFound(source, { filters, from, to: before, limit, offset, ordered: true })) {
      found.total = part.total;
      for (const { start_time: time } of part.events) {
        found.ofLastTime = time === found.lastTime ? found.ofLastTime + 1 : 1;
        found.lastTime = time;
      }
      yield part.events;
    }
    if (offset + limit >= found.total) return;
    // The start time of the last event can have been changed since the search.
    const continues = found.lastTime !== undefined && found.lastTime < (before ?? Infinity);
    if (continues) [before, offset] = [found.lastTime, found.ofLastTime];
    else offset += limit;
  }
}

/** Yields the events that a search finds, a few megabytes at a time, with the number of all that match. */
async function* readFound(
  { events, projectId, signal }: SelectionSource,
  query: EventQuery,
): AsyncGenerator<{ readonly events: readonly Event[]; readonly total: number }> {
  const page = await events.startPage(projectId, query, { signal, maxHeldBytes: () => 0 });
  const { total } = page;
  yield { events: page.events, total };
  for (const part of page.parts ?? []) yield { events: part.events.map(parseStoredEvent), total };
  for (let left = page.unread; left.length > 0;) {
    const part = await events.continuePage(projectId, left, { signal });
    yield { events: part.events, total };
    left = part.unread;
  }
}

/** Returns undefined when the events are too large together and a smaller page can be requested. */
async function unlessTooLarge(read: () => Promise<EventPage>, size: number): Promise<EventPage | undefined> {
  try {
    return await read();
  } catch (error) {
    if (size > 1 && error instanceof AppError && error.code === 'VALIDATION_ERROR') return undefined;
    throw error;
  }
}

function nextSize(size: number, page: EventPage | undefined): number {
  return page ? Math.min(PAGE_SIZE, size * 2) : size >> 1;
}
