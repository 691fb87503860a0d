import { Binder } from '../engine/binder.js';
import type { QueryRunner } from '../engine/engine.js';
import type { TableNames } from '../schema/topology.js';
import { FACT_COLUMNS, type EventFacts } from './event-facts.js';
import { EVENT_READER, type NarrowRow } from './event-reader.js';
import { readFewRows } from './newest-versions.js';

/** Rows of a session that are read together, in all versions. */
const MAX_ROWS = 2_000;

/** A narrow row with what the roll-up of its session has to know of it. */
export type RowWithFacts = NarrowRow & EventFacts;

/** Reads the rows of a session in any order; undefined when they are many, or cannot be chosen among their versions. */
export function readRowsOfSession(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  sessionId: string,
): Promise<RowWithFacts[] | undefined> {
  const binder = new Binder();
  return readFewRows<RowWithFacts>(runner, {
    table: tables.events,
    columns: `${EVENT_READER.narrowColumns}, ${FACT_COLUMNS}`,
    onKey: `project_id = ${binder.text(projectId)} AND session_id = ${binder.bind(sessionId, 'UUID')}`,
    binder,
    maxRows: MAX_ROWS,
  });
}
