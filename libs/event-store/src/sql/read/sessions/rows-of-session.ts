import { Binder } from '../../engine/binder.js';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { FACT_COLUMNS, PLAIN_FACT_COLUMNS, type EventFacts, type PlainFacts } from './event-facts.js';
import { EVENT_READER, VERSION_COLUMN, type NarrowRow } from '../rows/event-reader.js';
import { groupBySession } from '../rows/group-by-session.js';
import { readFewRows, readSmallSessions, type SmallSessions } from '../rows/newest-versions.js';
import { ofSessions } from '../rows/of-sessions.js';

/** Rows of a session that are read together, in all versions. */
const MAX_ROWS = 2_000;
/** The same of several sessions for each of them, and at most: they are parsed in 15 ms. */
const ROWS_PER_SESSION = 200;
const MAX_ROWS_OF_SEVERAL = 8_000;
/** The same of each of several sessions that have more together. */
const MAX_ROWS_OF_EACH = 60;

/** A session whose rows are read. */
export interface SessionOfProject {
  readonly projectId: string;
  readonly sessionId: string;
}

/** Reads the rows of a session in any order; undefined when they are many, or cannot be chosen among their versions. */
export function readRowsOfSession(
  runner: QueryRunner,
  tables: TableNames,
  session: SessionOfProject,
): Promise<(NarrowRow & PlainFacts)[] | undefined> {
  return readRows(runner, tables, session, PLAIN_FACT_COLUMNS);
}

/** The same with all that the roll-up of the session has to know of them. */
export function readFactsOfSession(
  runner: QueryRunner,
  tables: TableNames,
  session: SessionOfProject,
): Promise<(NarrowRow & EventFacts)[] | undefined> {
  return readRows(runner, tables, session, FACT_COLUMNS);
}

/**
 * The same of several sessions without the values of the events, in one statement unless they have many events together: of
 * those that are small then.
 */
export async function readFactsOfSessions(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  sessionIds: readonly string[],
): Promise<SmallSessions<EventFacts>> {
  const request = (maxRows: number) => {
    const binder = new Binder();
    return {
      table: tables.events,
      columns: `parent_id, event_type, start_time, ${VERSION_COLUMN}, ${FACT_COLUMNS}`,
      onKey: ofSessions(tables, { projectId, sessionIds }, binder),
      ...{ binder, maxRows },
    };
  };
  const maxRows = Math.min(ROWS_PER_SESSION * sessionIds.length, MAX_ROWS_OF_SEVERAL);
  const rows = await readFewRows<EventFacts>(runner, request(maxRows));
  if (rows !== undefined) return { rows: groupBySession(rows), left: [] };
  if (sessionIds.length === 1) return { rows: new Map(), left: sessionIds };
  return readSmallSessions<EventFacts>(runner, { ...request(MAX_ROWS_OF_EACH), sessionIds });
}

function readRows<Row extends NarrowRow>(
  runner: QueryRunner,
  tables: TableNames,
  { projectId, sessionId }: SessionOfProject,
  factColumns: string,
): Promise<Row[] | undefined> {
  const binder = new Binder();
  return readFewRows<Row>(runner, {
    table: tables.events,
    columns: `${EVENT_READER.narrowColumns}, ${factColumns}`,
    onKey: ofSessions(tables, { projectId, sessionIds: [sessionId] }, binder),
    binder,
    maxRows: MAX_ROWS,
  });
}
