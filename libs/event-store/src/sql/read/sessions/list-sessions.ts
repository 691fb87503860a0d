import type { SessionPosition, SessionQuery } from '../../../event-store.js';
import { Binder } from '../../engine/binder.js';
import type { Query, QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { readMatchingSessions } from './matching-sessions.js';
import { inSessionsOfRuns } from '../rows/in-runs.js';
import { exactScope } from '../rows/scope.js';
import { matchingRows, type MatchingRows } from '../rows/matching-rows.js';

interface SessionRow {
  readonly session: string;
  readonly start_time: number;
  /** Whether earlier hours were left out. */
  readonly is_bounded: number;
}

/** Rows beyond a page in the hours that are read for it: there may be several versions of a session, and deleted ones. */
const SPARE_ROWS = 10;
const ROWS_PER_SESSION = 2;
/** A page that is not full is read again, from the hours of more rows, and then from all. */
const GROWTH = 32;
const ROUNDS = 3;

/** Returns a page of sessions, newest start first. @throws AppError `VALIDATION_ERROR` as a search */
export async function readSessionPage(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  query: SessionQuery,
): Promise<SessionPosition[]> {
  const search = searchOf(projectId, query);
  const sessionIds = await readMatchingSessions(runner, tables, search);
  const read = (newestRows?: number) =>
    runner.query<SessionRow>(pageQuery(tables, { ...search, sessionIds }, query, newestRows));
  // The newest hours have few of the sessions that some runs or filters leave.
  const isNarrow = query.runs !== undefined || search.query.filters.length > 1;
  let newestRows = query.limit * ROWS_PER_SESSION + SPARE_ROWS;
  for (let round = 0; round < (isNarrow ? 0 : ROUNDS); round++, newestRows *= GROWTH) {
    const rows = await read(newestRows);
    if (rows.length === query.limit || rows[0]?.is_bounded === 0) return rows.map(toPosition);
    // Without a row it is unknown whether the hours were bounded: usually nothing follows the cursor.
    if (rows.length === 0) break;
  }
  return (await read()).map(toPosition);
}

function toPosition({ start_time: startTime, session: sessionId }: SessionRow): SessionPosition {
  return { startTime, sessionId };
}

/** The sessions of the page and of all later ones, as a search. */
function searchOf(projectId: string, { from, to, after, filters = [] }: SessionQuery): MatchingRows {
  const latest = Math.min(to ?? Infinity, after?.startTime ?? Infinity);
  const bounds = { from, to: Number.isFinite(latest) ? latest : undefined };
  return { projectId, query: { ...bounds, filters: [IS_SESSION, ...filters] } };
}

const IS_SESSION = { field: 'event_type', operator: 'is', type: 'string', value: 'session' } as const;

/**
 * Returns the statement for a page. Starts and hours have the same order, and the hour is the first column of the sort key
 * that differs: the engine finds the hour of the last of the newest rows from the cursor on, and reads no earlier ones.
 * @param newestRows look only at the hours of this many newest rows of any version; absent: at all
 */
function pageQuery(
  tables: TableNames,
  search: MatchingRows,
  { source, runs, after, limit }: SessionQuery,
  newestRows: number | undefined,
): Query {
  const binder = new Binder();
  const { projectId } = search;
  const matching = matchingRows(tables, search, binder);
  const where: string[] = [];
  if (source !== undefined) where.push(`source = ${binder.text(source)}`);
  if (after !== undefined) {
    const start = binder.number(after.startTime);
    const id = binder.text(after.sessionId);
    where.push(`(start_time < ${start} OR toString(event_id) < ${id})`);
  }
  if (runs !== undefined) where.push(inSessionsOfRuns(tables, projectId, runs, binder));
  const ofSessions = [
    ...exactScope({ projectId, from: search.query.from, to: search.query.to }, binder),
    `event_type = 'session' AND is_deleted = 0`,
  ];
  const lastHour =
    newestRows === undefined
      ? 'NULL'
      : `(SELECT start_hour FROM ${tables.events} WHERE ${[...ofSessions, ...where].join(' AND ')} ` +
        `ORDER BY start_hour DESC LIMIT 1 OFFSET ${binder.bind(newestRows - 1, 'UInt64')})`;
  const inHours = newestRows === undefined ? [] : [`start_hour >= ifNull(${lastHour}, toDateTime(0, 'UTC'))`];
  const conditions = [...where, ...inHours].map((condition) => ` AND ${condition}`).join('');
  const sql =
    `${matching.names}SELECT toString(event_id) AS session, start_time, isNotNull(${lastHour}) AS is_bounded ` +
    `${matching.source}${conditions} ` +
    `ORDER BY start_time DESC, session DESC LIMIT ${binder.bind(limit, 'UInt64')}`;
  return { sql, bindings: binder.bindings };
}
