import type { Event } from '@assay/domain';
import { AppError, validationError } from '@assay/errors';
import type { EventPage, EventQuery, EventStore } from '@assay/event-store';
import { MAX_BATCH_DATAPOINTS } from '@assay/contracts';
import type { Selection } from './selection.js';

/** Part of the chosen events, and ids that were named and that no event has. */
export interface ChosenPage {
  readonly events: readonly Event[];
  readonly missing: readonly string[];
}

/** Events that are held at a time, at most; fewer where they are large. */
const PAGE = 250;

type Search = (query: EventQuery) => Promise<EventPage>;

/**
 * Reads the chosen events a page at a time: those that are named in their order, then those that match, newest first. Each comes once.
 * @throws AppError `VALIDATION_ERROR` before the first page when more match than one request may choose
 */
export async function* chosenEvents(
  store: Pick<EventStore, 'search'>,
  projectId: string,
  selection: Selection,
): AsyncGenerator<ChosenPage> {
  const search: Search = (query) => store.search(projectId, query);
  if (selection.matching) await checkCount(search, selection);
  yield* namedEvents(search, selection.named);
  if (!selection.matching) return;
  const seen = new Set([...selection.named, ...selection.excluded]);
  for await (const events of matchingEvents(search, selection.matching)) {
    const fresh = events.filter(({ event_id: id }) => !seen.has(id));
    for (const { event_id: id } of fresh) seen.add(id);
    yield { events: fresh, missing: [] };
  }
}

async function checkCount(search: Search, { named, matching }: Selection): Promise<void> {
  if (!matching) return;
  const { total } = await search({ ...matching, limit: 1, offset: 0, ordered: false });
  if (total + named.length <= MAX_BATCH_DATAPOINTS) return;
  throw validationError(
    `selectAll chooses more than ${MAX_BATCH_DATAPOINTS} events: narrow filters or dateRange`,
  );
}

async function* namedEvents(search: Search, ids: readonly string[]): AsyncGenerator<ChosenPage> {
  let size = PAGE;
  for (let from = 0; from < ids.length;) {
    const named = ids.slice(from, from + size);
    const filters = [{ field: 'event_id', operator: 'in', type: 'string', value: named }] as const;
    const page = await ifNotTooLarge(() => search({ filters, limit: size, offset: 0, ordered: false }), size);
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
 * Goes on below the start time of the last event, past those of the same time that were read, so that events that arrive or go meanwhile move no page. An
 * event may come twice.
 */
async function* matchingEvents(
  search: Search,
  { from, to, filters }: NonNullable<Selection['matching']>,
): AsyncGenerator<readonly Event[]> {
  let below = to;
  let offset = 0;
  let size = PAGE;
  for (;;) {
    const query = { filters, from, to: below, limit: size, offset, ordered: true };
    const page = await ifNotTooLarge(() => search(query), size);
    if (page) {
      yield page.events;
      if (offset + size >= page.total) return;
      const last = page.events.at(-1)?.start_time;
      if (last === undefined || last === below) offset += size;
      else [below, offset] = [last, page.events.filter((event) => event.start_time === last).length];
    }
    size = nextSize(size, page);
  }
}

/** Undefined when the events are too large to be held together, and fewer can be asked for. */
async function ifNotTooLarge(read: () => Promise<EventPage>, size: number): Promise<EventPage | undefined> {
  try {
    return await read();
  } catch (error) {
    if (size > 1 && error instanceof AppError && error.code === 'VALIDATION_ERROR') return undefined;
    throw error;
  }
}

function nextSize(size: number, page: EventPage | undefined): number {
  return page ? Math.min(PAGE, size * 2) : size >> 1;
}
