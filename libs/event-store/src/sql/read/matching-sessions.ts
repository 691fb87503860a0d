import { matchesFilters, withTotals } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { QueryRunner } from '../engine/engine.js';
import { separateFilters } from '../filter/session-fields.js';
import type { TableNames } from '../schema/topology.js';
import { EVENT_READER, type StoredRow } from './event-reader.js';
import { readRollups } from './read-rollups.js';
import { sessionsQuery, type MatchingRows } from './search-query.js';

/** Sessions whose usage one search counts. */
const MAX_SESSIONS = 10_000;

/** @throws AppError `VALIDATION_ERROR` for more than 10,000 sessions, whose usage is not counted for a filter */
export function assertCountable(sessions: number): void {
  if (sessions > MAX_SESSIONS)
    throw validationError(
      `a filter on tokens or cost selects from more than ${MAX_SESSIONS} sessions: narrow dates or filters, or filter by event_type`,
    );
}

/**
 * Returns the ids of the sessions that match a search with filters on usage (tokens and cost), which is counted
 * over the trees of their events; undefined when the search has no such filter.
 * @throws AppError `VALIDATION_ERROR` when the other filters leave more than 10,000 sessions
 */
export async function readMatchingSessions(
  runner: QueryRunner,
  tables: TableNames,
  search: MatchingRows,
): Promise<readonly string[] | undefined> {
  const { usage } = separateFilters(search.query.filters);
  if (usage.length === 0) return undefined;
  const rows = await runner.query<StoredRow>(sessionsQuery(tables, search, MAX_SESSIONS + 1));
  assertCountable(rows.length);
  // Payloads are not read: no filter on usage looks at them.
  const sessions = rows.map((row) => EVENT_READER.read(row, row));
  const ids = sessions.map((session) => session.session_id);
  const totals = await readRollups(runner, tables, search.projectId, ids);
  return sessions
    .filter((session) => matchesFilters(withTotals(session, totals.get(session.session_id)), usage))
    .map((session) => session.event_id);
}
