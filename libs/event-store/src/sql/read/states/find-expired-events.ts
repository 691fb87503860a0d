import { latestCutoff, type Cutoffs } from '@assay/domain';
import type { ExpiredCursor, ExpiredPage, ExpiredQuery, ExpiredRow } from '../../../expired-events.js';
import { startHour } from '@assay/event-rows';
import { Binder } from '../../engine/binder.js';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { chunks } from '../rows/chunks.js';
import { visible } from '../rows/visible.js';
import { ofSessions } from '../rows/of-sessions.js';

const HOUR_SECONDS = 3_600;
const KEY = 'start_hour, session_id, event_id';
/** Ids of one statement. */
const IDS_PER_QUERY = 1_000;

/** The rows of a project in some hours, from a row on. */
interface Hours {
  readonly projectId: string;
  readonly after: ExpiredCursor;
  /** The last hour, Unix seconds. */
  readonly to: number;
}

interface FoundRow {
  readonly event: string;
  readonly session: string;
  readonly hour: number;
  readonly start_time: number;
  readonly run_id: string;
}

/**
 * Reads a page in two statements: the hours that have about as many rows as the page, whatever their version, from the sort key
 * alone; then the visible rows in these hours. So a page costs as much at the end of many rows as at their beginning.
 */
export async function readExpired(
  engine: QueryRunner,
  tables: TableNames,
  projectId: string,
  query: ExpiredQuery,
): Promise<ExpiredPage> {
  const latest = latestCutoff(query.cutoffs);
  if (latest === undefined) return { events: [] };
  const after = query.after ?? { startHour: query.from === undefined ? 0 : startHour(query.from) };
  const all = { projectId, after, to: startHour(latest) };
  const full = await hourOfRow(engine, tables, all, query.limit);
  const rows = await expiredRows(engine, tables, { ...all, to: full ?? all.to }, query);
  const events = query.withRuns ? await withRunsOfSessions(engine, tables, projectId, rows) : rows;
  const last = rows.at(-1);
  if (last !== undefined && rows.length === query.limit)
    return { events: events.map(toExpired(projectId)), next: cursorOf(last) };
  const next = full === undefined ? undefined : { startHour: full + HOUR_SECONDS };
  return { events: events.map(toExpired(projectId)), ...(next && next.startHour <= all.to && { next }) };
}

/** The hour that the n-th row is in; undefined when there are fewer. */
async function hourOfRow(
  engine: QueryRunner,
  tables: TableNames,
  hours: Hours,
  rows: number,
): Promise<number | undefined> {
  const binder = new Binder();
  const sql =
    `SELECT toUnixTimestamp(start_hour) AS hour FROM ${tables.events} WHERE ${inHours(hours, binder)} ` +
    `ORDER BY start_hour LIMIT 1 OFFSET ${binder.bind(String(rows), 'UInt64')}`;
  const [found] = await engine.query<{ readonly hour: number }>({ sql, bindings: binder.bindings });
  return found?.hour;
}

function expiredRows(
  engine: QueryRunner,
  tables: TableNames,
  hours: Hours,
  { cutoffs, limit }: ExpiredQuery,
): Promise<FoundRow[]> {
  const binder = new Binder();
  const sql =
    'SELECT toString(event_id) AS event, toString(session_id) AS session, toUnixTimestamp(start_hour) AS hour, start_time, run_id ' +
    `FROM ${visible(tables.events)} WHERE ${inHours(hours, binder)} AND ${isExpired(cutoffs, binder)} ` +
    `ORDER BY ${KEY} LIMIT ${binder.bind(String(limit), 'UInt64')}`;
  return engine.query<FoundRow>({ sql, bindings: binder.bindings });
}

function inHours({ projectId, after, to }: Hours, binder: Binder): string {
  const hour = (seconds: number) => `toDateTime(${binder.bind(String(seconds), 'UInt64')}, 'UTC')`;
  const bounds = [`start_hour >= ${hour(after.startHour)}`, `start_hour <= ${hour(to)}`];
  if (after.row !== undefined) {
    const { sessionId, eventId } = after.row;
    const key = [hour(after.startHour), binder.bind(sessionId, 'UUID'), binder.bind(eventId, 'UUID')];
    bounds.push(`(${KEY}) > (${key.join(', ')})`);
  }
  return [`project_id = ${binder.text(projectId)}`, ...bounds].join(' AND ');
}

/** The rule of `isExpired` of the domain. */
function isExpired(cutoffs: Cutoffs, binder: Binder): string {
  const types = Object.entries(cutoffs).map(
    ([type, cutoff]) => `event_type = ${binder.text(type)} AND start_time < ${binder.number(cutoff)}`,
  );
  return `(${types.map((condition) => `(${condition})`).join(' OR ')})`;
}

/** An event without a run belongs to that of its session. */
async function withRunsOfSessions(
  engine: QueryRunner,
  tables: TableNames,
  projectId: string,
  rows: readonly FoundRow[],
): Promise<FoundRow[]> {
  const sessions = new Set(rows.filter(({ run_id }) => run_id === '').map(({ session }) => session));
  const runs = new Map<string, string>();
  for (const ids of chunks([...sessions], IDS_PER_QUERY)) {
    const binder = new Binder();
    const sql =
      `SELECT toString(session_id) AS session, run_id FROM ${visible(tables.events)} ` +
      `PREWHERE ${ofSessions(tables, { projectId, sessionIds: ids }, binder)} WHERE event_id = session_id AND run_id != ''`;
    const found = await engine.query<Pick<FoundRow, 'session' | 'run_id'>>({
      sql,
      bindings: binder.bindings,
    });
    for (const { session, run_id } of found) runs.set(session, run_id);
  }
  return rows.map((row) => ({ ...row, run_id: row.run_id || (runs.get(row.session) ?? '') }));
}

function cursorOf({ hour, session, event }: FoundRow): ExpiredCursor {
  return { startHour: hour, row: { sessionId: session, eventId: event } };
}

function toExpired(projectId: string) {
  return ({ event, session, start_time, run_id }: FoundRow): ExpiredRow => ({
    projectId,
    eventId: event,
    sessionId: session,
    startTime: start_time,
    runId: run_id,
  });
}
