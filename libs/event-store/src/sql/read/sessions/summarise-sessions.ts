import type { DayCount, EventKey, SessionSummary } from '../../../event-store.js';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { chunks } from '../rows/chunks.js';
import { foldSessionGroups, haveMetrics, lackAmounts } from './fold-session-groups.js';
import { byProject } from '../rows/keys-by-project.js';
import { readOfSessions, SESSIONS_OF_ANY_SIZE } from './read-of-sessions.js';
import { MAX_GROUPS, sessionGroupsQuery, type SessionGroupRow } from './session-groups-query.js';
import { readSessionDays } from './session-days.js';
import { readMetricTotals } from './metric-totals.js';
import { summaryQuery, type SummaryRow } from './summary-query.js';

/** Rows of a session whose metrics and amounts are read together with those of thousands of others. */
const MAX_SMALL_SESSION_ROWS = 20;

/**
 * Returns summaries of sessions by `projectId/sessionId`; a session that never had a row is absent. What a summary
 * contains beyond its watermark is read at the same time or later, so it is never older than the watermark says.
 */
export async function readSessionSummaries(
  engine: QueryRunner,
  tables: TableNames,
  keys: readonly EventKey[],
): Promise<Map<string, SessionSummary>> {
  const summaries = new Map<string, SessionSummary>();
  for (const [projectId, sessionIds] of byProject(keys)) {
    const source = { engine, tables, projectId };
    const groups = readOfSessions([...sessionIds], {
      maxRowsOfSession: MAX_GROUPS + 1,
      read: (ids, limit) =>
        engine.query<SessionGroupRow>(sessionGroupsQuery(tables, { projectId, sessionIds: ids, limit })),
    });
    for await (const rows of groups)
      for (const [session, summary] of await summarise(source, rows))
        summaries.set(`${projectId}/${session}`, summary);
  }
  return summaries;
}

/** The rows of one project. */
interface Source {
  readonly engine: QueryRunner;
  readonly tables: TableNames;
  readonly projectId: string;
}

/** Returns the summaries of sessions by session id, from all their groups. */
async function summarise(
  { engine, tables, projectId }: Source,
  rows: readonly SessionGroupRow[],
): Promise<ReadonlyMap<string, SessionSummary>> {
  const groups = groupsBySession(rows);
  const idsWhere = (holds: (groups: readonly SessionGroupRow[]) => boolean) =>
    [...groups].flatMap(([session, ofSession]) => (holds(ofSession) ? session : []));
  const isLarge = ({ length }: readonly SessionGroupRow[]) => length > MAX_GROUPS;
  const large = idsWhere(isLarge);
  const largeRows =
    large.length > 0 ? await engine.query<SummaryRow>(summaryQuery(tables, projectId, large)) : [];
  const rated = idsWhere((ofSession) => !isLarge(ofSession) && haveMetrics(ofSession));
  const counted = idsWhere((ofSession) => isLarge(ofSession) || lackAmounts(ofSession));
  const inParts = (ids: readonly string[]) => partsByRows(ids, groups);
  const metrics = await readAll(inParts(rated), (ids) => readMetricTotals(engine, tables, projectId, ids));
  const days = await readAll(inParts(counted), (ids) => readSessionDays(engine, tables, projectId, ids));
  const summaries = new Map<string, SessionSummary>();
  for (const [session, ofSession] of groups) {
    const summary = { ...foldSessionGroups(ofSession), metrics: metrics.get(session) ?? [] };
    const ownDays = days.get(session);
    summaries.set(session, ownDays ? { ...summary, days: ownDays } : summary);
  }
  for (const row of largeRows) summaries.set(row.session, toSummary(row, days.get(row.session) ?? []));
  return summaries;
}

/** Sessions with few rows together, and parts of the others: a statement holds the texts of all rows that it sorts. */
function partsByRows(
  sessionIds: readonly string[],
  groups: ReadonlyMap<string, readonly SessionGroupRow[]>,
): readonly (readonly string[])[] {
  const [small, others]: [string[], string[]] = [[], []];
  for (const id of sessionIds) {
    const rows = (groups.get(id) ?? []).reduce((sum, { num_rows }) => sum + num_rows, 0);
    (rows <= MAX_SMALL_SESSION_ROWS ? small : others).push(id);
  }
  return [small, ...chunks(others, SESSIONS_OF_ANY_SIZE)];
}

async function readAll<T>(
  parts: readonly (readonly string[])[],
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): Promise<ReadonlyMap<string, T>> {
  const found = new Map<string, T>();
  for (const ids of parts) for (const [session, one] of await read(ids)) found.set(session, one);
  return found;
}

function groupsBySession(rows: readonly SessionGroupRow[]): ReadonlyMap<string, readonly SessionGroupRow[]> {
  const groups = new Map<string, SessionGroupRow[]>();
  for (const row of rows) {
    const ofSession = groups.get(row.session);
    if (ofSession) ofSession.push(row);
    else groups.set(row.session, [row]);
  }
  return groups;
}

function toSummary(row: SummaryRow, days: readonly DayCount[]): SessionSummary {
  const [name, source, startTime, endTime, origin] = row.own;
  return {
    watermark: row.watermark,
    rows: row.num_rows,
    session: row.has_own === 1 ? { name, source, startTime, endTime, origin } : undefined,
    numEvents: row.num_events,
    numModelEvents: row.num_model_events,
    numToolEvents: row.num_tool_events,
    numChainEvents: row.num_events - row.num_model_events - row.num_tool_events,
    numErrors: row.num_errors,
    ...(row.num_events > 0 && { firstStart: row.first_start, lastEnd: row.last_end ?? undefined }),
    names: row.names.map(([eventType, eventName, count]) => ({ eventType, eventName, count })),
    metrics: row.metrics.map(([metric, count, sum, min, max]) => ({ name: metric, count, sum, min, max })),
    runIds: row.run_ids,
    days,
  };
}
