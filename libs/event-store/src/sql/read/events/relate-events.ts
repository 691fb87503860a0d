import type { Event, TreePlace } from '@assay/domain';
import type { DerivedValues } from '../../../event-store.js';
import { Binder } from '../../engine/binder.js';
import type { ConcurrentRunner, QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { FACT_COLUMNS, areEnough, rollupOfEvents, type EventFacts } from '../sessions/event-facts.js';
import { VERSION_COLUMN, type NarrowRow } from '../rows/event-reader.js';
import { groupBySession } from '../rows/group-by-session.js';
import { readFewRows } from '../rows/newest-versions.js';
import { readRollups } from '../sessions/roll-up-sessions.js';
import { ofSessions } from '../rows/of-sessions.js';
import { isStoredId } from '../rows/stored-id.js';
import { firstChildren, readChildren } from '../sessions/tree-positions.js';

/** Sessions of one statement: less than 256 KiB of text, which a ClickHouse server parses of one parameter. */
const MAX_SESSIONS = 5_000;
/** What to select for the position of a row in the tree of its session. */
const PLACE_COLUMNS = `parent_id, start_time, ${VERSION_COLUMN}`;
/** Rows of the sessions of a page of this many events that are read together, in all versions. */
const maxRows = (events: number) => Math.min(2_000 + 3 * events, 20_000);

/** What has to be known of an event to derive values for it. */
export type Derivable = Pick<Event, 'event_id' | 'session_id'> & { readonly event_type: string };

/** Events whose values are derived. */
export interface EventsOfProject {
  readonly projectId: string;
  readonly events: readonly Derivable[];
}

/** What is derived from other events for these: the roll-ups of the sessions among them, and the children of all. */
export async function readDerived(
  runner: QueryRunner,
  tables: TableNames,
  request: EventsOfProject,
): Promise<DerivedValues> {
  return deriveFrom(runner, tables, { ...request, rows: await readSessions(runner, tables, request) });
}

/** Reads something, and concurrently what is derived for events. */
export async function readWithDerived<Result>(
  runner: ConcurrentRunner,
  tables: TableNames,
  request: EventsOfProject,
  read: (runner: QueryRunner) => Promise<Result>,
): Promise<[Result, DerivedValues]> {
  const [result, rows] = await runner.concurrently(read, (side) => readSessions(side, tables, request));
  return [result, await deriveFrom(runner, tables, { ...request, rows })];
}

/** What to know of the event of a narrow row. */
export function derivable(row: NarrowRow): Derivable {
  return { event_id: row.key_event, session_id: row.key_session, event_type: row.event_type };
}

/** As {@link readDerived}, from all rows of the sessions of the events; undefined when these are not known. */
export async function deriveFrom(
  runner: QueryRunner,
  tables: TableNames,
  {
    projectId,
    events,
    rows: sessions,
  }: EventsOfProject & { readonly rows: readonly EventFacts[] | undefined },
): Promise<DerivedValues> {
  const rollupIds = sessionsToRollUp(events);
  if (sessions === undefined) {
    const rollups = await readRollups(runner, tables, projectId, rollupIds);
    return { rollups, children: await readChildren(runner, tables, projectId, events) };
  }
  const rows = groupBySession(sessions);
  const hasEnough = (id: string) => areEnough(rows.get(id) ?? []);
  const left = rollupIds.filter((id) => !hasEnough(id));
  const rollups = await readRollups(runner, tables, projectId, left);
  for (const id of rollupIds.filter(hasEnough)) {
    const rollup = rollupOfEvents(rows.get(id) ?? []);
    if (rollup !== undefined) rollups.set(id, rollup);
  }
  return { rollups, children: childrenAmong(sessions, events) };
}

function sessionsToRollUp(events: readonly Derivable[]): string[] {
  const sessions = events.filter(({ event_type: type }) => type === 'session');
  return [...new Set(sessions.map(({ session_id: id }) => id))].filter(isStoredId);
}

/** All rows of the sessions of events; undefined when they are many. */
async function readSessions(
  runner: QueryRunner,
  tables: TableNames,
  { projectId, events }: EventsOfProject,
): Promise<EventFacts[] | undefined> {
  const ids = [...new Set(events.map(({ session_id: id }) => id))].filter(isStoredId);
  if (ids.length > MAX_SESSIONS) return undefined;
  const binder = new Binder();
  const withFacts = sessionsToRollUp(events).length > 0;
  return readFewRows<EventFacts>(runner, {
    table: tables.events,
    columns: withFacts ? `${PLACE_COLUMNS}, event_type, ${FACT_COLUMNS}` : PLACE_COLUMNS,
    onKey: ofSessions(tables, { projectId, sessionIds: ids }, binder),
    binder,
    maxRows: maxRows(events.length),
  });
}

function childrenAmong(rows: readonly EventFacts[], events: readonly Derivable[]): TreePlace[] {
  const ids = new Set(events.map(({ event_id: id }) => id));
  const below = rows.filter(({ parent_id: parent }) => parent !== null && ids.has(parent));
  return firstChildren(
    below.map((row) => ({ eventId: row.key_event, parentId: row.parent_id, startTime: row.start_time })),
  );
}
