import type { JsonObject } from '@assay/domain';
import type { RunEventsQuery, StoredRunEvent } from '../../aggregate-reads.js';
import type { QueryRunner } from '../engine/engine.js';
import { chunks } from './chunks.js';
import { isStoredId } from './read-states.js';
import {
  runEventsQuery,
  type RunEventsPart,
  type RunEventsRow,
  type RunEventTuple,
} from './run-events-query.js';
import { withSessionUsage } from './run-session-usage.js';
import type { TableNames } from '../schema/topology.js';

/** Session ids of one statement: about 205 KB of text. A ClickHouse server parses at most 256 KiB of one parameter. */
const SESSIONS_PER_QUERY = 5_000;

/**
 * Reads the events of runs. Sessions that a run lists are named in a statement only if their own event does not
 * name the run, so that a run of any size usually takes two statements.
 * @throws AppError `VALIDATION_ERROR` when a filter on usage selects from more than 10,000 sessions
 */
export async function readRunEvents(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  query: RunEventsQuery,
): Promise<StoredRunEvent[]> {
  const newest = new Map<string, RunEvent>();
  const read = async (part: RunEventsPart) => {
    const statement = runEventsQuery(tables, { ...query, projectId }, part);
    for (const row of await runner.query<RunEventsRow>(statement)) keepNewest(newest, row);
  };
  await read({ kind: 'named' });
  const naming = sessionsNaming(newest);
  const isShort = naming.length <= SESSIONS_PER_QUERY;
  // Sending the sessions saves the engine from looking for them once more.
  if (!isShort) await read({ kind: 'inherited' });
  const others = [...(isShort ? naming : []), ...unnamedSessions(query, newest)];
  for (const sessionIds of chunks(others, SESSIONS_PER_QUERY)) await read({ kind: 'listed', sessionIds });
  const events = [...newest.values()].map(({ event }) => event);
  return withSessionUsage(runner, tables, { ...query, projectId }, events);
}

interface RunEvent {
  readonly version: number;
  readonly event: StoredRunEvent;
}

/** Keeps the events of a row. An event has a second row while its sort key changes; the newest version counts. */
function keepNewest(newest: Map<string, RunEvent>, row: RunEventsRow): void {
  for (const tuple of row.events) {
    const [eventId, , , , version] = tuple;
    const other = newest.get(eventId);
    if (other === undefined || other.version < version)
      newest.set(eventId, { version, event: toRunEvent(row, tuple) });
  }
}

/** Sessions whose own event names a run. */
function sessionsNaming(events: ReadonlyMap<string, RunEvent>): string[] {
  return [...events.values()].flatMap(({ event }) =>
    event.eventId === event.sessionId ? [event.eventId] : [],
  );
}

/** Listed sessions whose own event does not name a run. */
function unnamedSessions({ runs }: RunEventsQuery, events: ReadonlyMap<string, RunEvent>): string[] {
  const named = (sessionId: string) => events.get(sessionId)?.event.sessionId === sessionId;
  const listed = new Set(runs.flatMap(({ sessionIds }) => sessionIds));
  return [...listed].filter((sessionId) => isStoredId(sessionId) && !named(sessionId));
}

function toRunEvent(row: RunEventsRow, tuple: RunEventTuple): StoredRunEvent {
  const [eventId, eventName, eventType, startTime, , failed, isSelected, holds, scores] = tuple;
  return {
    eventId,
    sessionId: row.session,
    eventName,
    eventType,
    startTime,
    runId: row.run,
    datapointId: row.datapoint,
    metrics: scores === '' ? {} : (JSON.parse(scores) as JsonObject),
    isSelected: isSelected === 1,
    hasError: failed === 1,
    satisfied: holds.length === 0 ? holds : holds.flatMap((one, index) => (one === 1 ? [index] : [])),
  };
}
