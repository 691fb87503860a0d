import type { JsonObject } from '@assay/domain';
import type { RunEventsQuery, StoredRunEvent } from '../../aggregate-reads.js';
import type { QueryRunner } from '../engine/engine.js';
import { chunks } from './chunks.js';
import { isStoredId } from './read-states.js';
import { runEventsQuery, type RunEventRow, type RunEventsPart } from './run-events-query.js';
import type { TableNames } from '../schema/topology.js';

/** Session ids of one statement: about 205 KB of text. A ClickHouse server parses at most 256 KiB of one parameter. */
const SESSIONS_PER_QUERY = 5_000;

/**
 * Reads the events of runs. Sessions that a run lists are named in a statement only if their own event does not
 * name the run, so that a run of any size usually takes two statements.
 */
export async function readRunEvents(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  query: RunEventsQuery,
): Promise<StoredRunEvent[]> {
  const newest = new Map<string, RunEventRow>();
  const read = async (part: RunEventsPart) => {
    for (const row of await runner.query<RunEventRow>(
      runEventsQuery(tables, { ...query, projectId }, part),
    )) {
      const other = newest.get(row.event);
      if (other === undefined || other.version < row.version) newest.set(row.event, row);
    }
  };
  await read({ kind: 'named' });
  await read({ kind: 'inherited' });
  for (const sessionIds of chunks(unnamedSessions(query, newest), SESSIONS_PER_QUERY))
    await read({ kind: 'listed', sessionIds });
  return [...newest.values()].map(toRunEvent);
}

/** Listed sessions whose own event does not name a run. */
function unnamedSessions({ runs }: RunEventsQuery, rows: ReadonlyMap<string, RunEventRow>): string[] {
  const named = (sessionId: string) => rows.get(sessionId)?.session === sessionId;
  const listed = new Set(runs.flatMap(({ sessionIds }) => sessionIds));
  return [...listed].filter((sessionId) => isStoredId(sessionId) && !named(sessionId));
}

function toRunEvent(row: RunEventRow): StoredRunEvent {
  return {
    eventId: row.event,
    sessionId: row.session,
    eventName: row.event_name,
    eventType: row.event_type,
    startTime: row.start_time,
    runId: row.run_id,
    datapointId: row.datapoint_id,
    metrics: row.scores === '' ? {} : (JSON.parse(row.scores) as JsonObject),
    isSelected: row.is_selected === 1,
    hasError: row.failed === 1,
    satisfied: row.holds.flatMap((holds, index) => (holds === 1 ? [index] : [])),
  };
}
