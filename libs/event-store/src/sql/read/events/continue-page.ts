import type { Event } from '@assay/domain';
import type { PagePart, PageStart, UnreadEvent } from '../../../event-store.js';
import type { ConcurrentRunner, QueryRunner } from '../../engine/engine.js';
import { isResultTooLarge } from '../../engine/engine-failure.js';
import type { TableNames } from '../../schema/topology.js';
import { fetchPage, PageTooLarge, type FetchedPage, type SizedKey } from './fetch-page.js';
import { fetchPayloads, withoutVersion } from '../rows/join-rows.js';
import type { NarrowRow } from '../rows/event-reader.js';
import { readDerived } from './relate-events.js';
import { readKeys } from './read-page.js';
import { narrowRowsById } from '../rows/row-queries.js';
import type { Search } from './search-queries.js';

/** Payloads of a page that is held while it is sent. */
export const PAGE_BYTES = 16 * 1024 ** 2;
/** Payloads of one part, unless a single event is larger: one part is sent while the next one is read. */
export const PART_BYTES = PAGE_BYTES / 2;
/** Events of one part, whose other columns can be larger than their payloads. */
const PART_EVENTS = 1_000;

/** Whether a page failed only because its events are too large together. */
export function isPageTooLarge(error: unknown): boolean {
  return error instanceof PageTooLarge || isResultTooLarge(error);
}

/** Reads where the events of a page are, and how large. */
export async function readUnreadPage(
  runner: QueryRunner,
  tables: TableNames,
  search: Search,
): Promise<Omit<PageStart, 'parts'>> {
  const { keys, total } = await readKeys(runner, tables, search);
  const unread = new Map<string, UnreadEvent>();
  for (const key of keys) {
    const {
      key_event: eventId,
      key_session: sessionId,
      key_hour: startHour,
      payload_bytes: payloadBytes,
    } = key;
    if (!unread.has(eventId)) unread.set(eventId, { eventId, sessionId, startHour, payloadBytes });
  }
  return { events: [], unread: [...unread.values()], total };
}

/** Events of a project to read, and whether to read what is derived for them, too. */
export interface UnreadPage {
  readonly projectId: string;
  readonly unread: readonly UnreadEvent[];
  readonly withDerived?: boolean;
  readonly areDense?: boolean;
}

/** Reads the first events in halves while they are too large together. */
export async function readPart(
  runner: ConcurrentRunner,
  tables: TableNames,
  { unread, ...request }: UnreadPage,
): Promise<PagePart> {
  for (let length = partLength(unread); ; length = Math.ceil(length / 2)) {
    try {
      const part = await readEvents(runner, tables, { ...request, unread: unread.slice(0, length) });
      return { ...part, unread: unread.slice(length) };
    } catch (error) {
      if (length <= 1 || !isResultTooLarge(error)) throw error;
    }
  }
}

/** Returns how many of the first events fit into one part; 1 for an event that is larger than a part. */
export function partLength(unread: readonly UnreadEvent[]): number {
  let bytes = 0;
  const tooMany = unread.findIndex(({ payloadBytes }, index) => {
    bytes += payloadBytes;
    return index === PART_EVENTS || (index > 0 && bytes > PART_BYTES);
  });
  return tooMany === -1 ? unread.length : tooMany;
}

/** Reads events by their keys, and by id those that were moved since. */
async function readEvents(
  runner: ConcurrentRunner,
  tables: TableNames,
  { projectId, unread: part, withDerived = false, areDense }: UnreadPage,
): Promise<FetchedPage> {
  if (part.length === 0) return { events: [] };
  const request = { projectId, keys: part.map(toKey), maxBytes: Infinity, withDerived, areDense };
  const found = await fetchPage(runner, tables, request);
  if (found.events.length === part.length) return found;
  const byId = new Map(found.events.map((event): [string, Event] => [event.event_id, event]));
  const absent = part.flatMap(({ eventId }) => (byId.has(eventId) ? [] : [eventId]));
  for (const moved of await readMoved(runner, tables, projectId, absent)) byId.set(moved.event_id, moved);
  const events = part.flatMap(({ eventId }) => byId.get(eventId) ?? []);
  return {
    events,
    ...(withDerived && { derived: await readDerived(runner, tables, { projectId, events }) }),
  };
}

/** The events of these ids that were moved since their rows were read. */
async function readMoved(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  ids: readonly string[],
): Promise<Event[]> {
  const rows = await runner.query<NarrowRow>(narrowRowsById(tables, projectId, ids));
  const moved = await fetchPayloads(runner, tables, { projectId }, rows);
  return moved.map((event) => withoutVersion(event));
}

function toKey({ eventId, sessionId, startHour, payloadBytes }: UnreadEvent): SizedKey {
  return { key_event: eventId, key_session: sessionId, key_hour: startHour, payload_bytes: payloadBytes };
}
