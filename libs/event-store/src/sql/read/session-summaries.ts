import type { EventKey, MetricTotals, SessionSummary } from '../../event-store.js';
import type { QueryRunner } from '../engine/engine.js';
import type { TableNames } from '../schema/topology.js';
import { chunks } from './chunks.js';
import { foldSessionGroups, haveMetrics } from './fold-session-groups.js';
import { byProject } from './read-states.js';
import { MAX_GROUPS, sessionGroupsQuery, type SessionGroupRow } from './session-groups-query.js';
import { readSessionMetrics } from './session-metrics.js';
import { sessionsOfEventsQuery, summaryQuery, type SummaryRow } from './summary-query.js';

/** Ids of one statement. */
const EVENTS_PER_QUERY = 1_000;
const SESSIONS_PER_QUERY = 250;
const NONE: ReadonlyMap<string, readonly MetricTotals[]> = new Map();

interface SessionsRow {
  readonly event: string;
  readonly sessions: readonly string[];
}

/** Returns every session that has or had a row of the events, by `projectId/eventId`. */
export async function readSessionsOfEvents(
  engine: QueryRunner,
  tables: TableNames,
  keys: readonly EventKey[],
): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const [projectId, eventIds] of byProject(keys)) {
    for (const ids of chunks([...eventIds], EVENTS_PER_QUERY)) {
      const rows = await engine.query<SessionsRow>(sessionsOfEventsQuery(tables, projectId, ids));
      for (const { event, sessions } of rows) found.set(`${projectId}/${event}`, sessions);
    }
  }
  return found;
}

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
    for (const ids of chunks([...sessionIds], SESSIONS_PER_QUERY)) {
      const rows = await engine.query<SessionGroupRow>(sessionGroupsQuery(tables, projectId, ids));
      const bySession = groupsBySession(rows);
      const idsWhere = (holds: (groups: readonly SessionGroupRow[]) => boolean) =>
        [...bySession].flatMap(([session, groups]) => (holds(groups) ? session : []));
      const isLarge = (groups: readonly SessionGroupRow[]) => groups.length > MAX_GROUPS;
      const large = idsWhere(isLarge);
      const rated = idsWhere((groups) => !isLarge(groups) && haveMetrics(groups));
      const metrics = rated.length > 0 ? await readSessionMetrics(engine, tables, projectId, rated) : NONE;
      for (const [session, groups] of bySession) {
        const summary = { ...foldSessionGroups(groups), metrics: metrics.get(session) ?? [] };
        summaries.set(`${projectId}/${session}`, summary);
      }
      if (large.length === 0) continue;
      const whole = await engine.query<SummaryRow>(summaryQuery(tables, projectId, large));
      for (const row of whole) summaries.set(`${projectId}/${row.session}`, toSummary(row));
    }
  }
  return summaries;
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

function toSummary(row: SummaryRow): SessionSummary {
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
    days: row.days.map(([day, events, modelEvents]) => ({ day, events, modelEvents })),
  };
}
