import type { Event } from '@assay/domain';
import { AppError, validationError } from '@assay/errors';
import type { EventPage, EventQuery } from '@assay/event-store';
import { MAX_BATCH_DATAPOINTS } from '@assay/contracts';
import type { Selection } from './selection.js';

/** A page of the selected events, with named ids that do not exist. */
export interface SelectedPage {
  readonly events: readonly Event[];
  readonly missing: readonly string[];
}

/** Maximum events held in memory at a time; fewer when they are large. */
const PAGE_SIZE = 250;

/** Searches the events of the project. */
export type Search = (query: EventQuery) => Promise<EventPage>;

/**
 * Yields the selected events page by page: named events in their order, then matching events, newest first.
 * Each event is yielded once.
 * @throws AppError `VALIDATION_ERROR` before the first page when more events match than one request may
 * select
 */
export async function* selectedEvents(search: Search, selection: Selection): AsyncGenerator<SelectedPage> {
  if (selection.matching) await checkCount(search, selection);
  yield* namedEvents(search, selection.named);
  if (!selection.matching) return;
  const seen = new Set([...selection.named, ...selection.excluded]);
  for await (const events of matchingEvents(search, selection.matching)) {
    const unseen = events.filter(({ event_id: id }) => !seen.has(id));
    for (const { event_id: id } of unseen) seen.add(id);
    yield { events: unseen, missing: [] };
  }
}

async function checkCount(search: Search, { named, matching }: Selection): Promise<void> {
  if (!matching) return;
  const { total } = await search({ ...matching, limit: 1, offset: 0, ordered: false });
  if (total + named.length <= MAX_BATCH_DATAPOINTS) return;
  throw validationError(
    `selectAll selects more than ${MAX_BATCH_DATAPOINTS} events: narrow filters or dateRange`,
  );
}

async function* namedEvents(search: Search, ids: readonly string[]): AsyncGenerator<SelectedPage> {
  let size = PAGE_SIZE;
  for (let from = 0; from < ids.length;) {
    const named = ids.slice(from, from + size);
    const filters = [{ field: 'event_id', operator: 'in', type: 'string', value: named }] as const;
    const page = await unlessTooLarge(
      () => search({ filters, limit: size, offset: 0, ordered: false }),
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
 * Yields matching events by keyset pagination: each page continues below the start time of the last event,
 * after those of the same time that were read, so that concurrent writes and deletes shift no page. An event
 * may be yielded twice.
 */
async function* matchingEvents(
  search: Search,
  { from, to, filters }: NonNullable<Selection['matching']>,
): AsyncGenerator<readonly Event[]> {
  let before = to;
  let offset = 0;
  let size = PAGE_SIZE;
  for (;;) {
    const query = { filters, from, to: before, limit: size, offset, ordered: true };
    const page = await unlessTooLarge(() => search(query), size);
    if (page) {
      yield page.events;
      if (offset + size >= page.total) return;
      const last = page.events.at(-1)?.start_time;
      if (last === undefined || last === before) offset += size;
      else [before, offset] = [last, page.events.filter((event) => event.start_time === last).length];
    }
    size = nextSize(size, page);
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
