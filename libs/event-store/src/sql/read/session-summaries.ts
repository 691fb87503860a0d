import type { EventKey, SessionSummary } from '../../event-store.js';
import type { QueryRunner } from '../engine/engine.js';
import type { TableNames } from '../schema/topology.js';
import { chunks } from './chunks.js';
import { byProject } from './read-states.js';
import { sessionsOfEventsQuery, summaryQuery, type SummaryRow } from './summary-query.js';

/** Ids of one statement. */
const EVENTS_PER_QUERY = 1_000;
const SESSIONS_PER_QUERY = 1_000;

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

/** Returns summaries of sessions by `projectId/sessionId`; a session that never had a row is absent. */
export async function readSessionSummaries(
  engine: QueryRunner,
  tables: TableNames,
  keys: readonly EventKey[],
): Promise<Map<string, SessionSummary>> {
  const summaries = new Map<string, SessionSummary>();
  for (const [projectId, sessionIds] of byProject(keys)) {
    for (const ids of chunks([...sessionIds], SESSIONS_PER_QUERY)) {
      const rows = await engine.query<SummaryRow>(summaryQuery(tables, projectId, ids));
      for (const row of rows) summaries.set(`${projectId}/${row.session}`, toSummary(row));
    }
  }
  return summaries;
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
