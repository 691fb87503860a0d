import { Binder } from '../../engine/binder.js';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { FACT_COLUMNS, PLAIN_FACT_COLUMNS, type EventFacts, type PlainFacts } from './event-facts.js';
import { EVENT_READER, type NarrowRow } from '../rows/event-reader.js';
import { readFewRows } from '../rows/newest-versions.js';

/** Rows of a session that are read together, in all versions. */
const MAX_ROWS = 2_000;

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
    onKey: `project_id = ${binder.text(projectId)} AND session_id = ${binder.bind(sessionId, 'UUID')}`,
    binder,
    maxRows: MAX_ROWS,
  });
}
