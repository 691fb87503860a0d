import type { WholeSession } from '../../../event-store.js';
import type { ConcurrentRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { areEnough, factsOf, rollupOfEvents } from '../sessions/event-facts.js';
import { fetchPageOfRows } from './fetch-page.js';
import { readRollups } from '../sessions/roll-up-sessions.js';
import { byEngineOrder } from '../rows/row-key.js';
import { readRowsOfSession } from '../sessions/rows-of-session.js';
import { searchEvents, type SearchContext } from './search-events.js';

export interface SessionRequest {
  readonly projectId: string;
  readonly sessionId: string;
  /** Events at most. */
  readonly limit: number;
  /** Bound on the payloads together. */
  readonly maxBytes: number;
}

/**
 * Reads the events of a session with its roll-up; undefined when they are more than `limit`.
 * @throws AppError `VALIDATION_ERROR` when the payloads together are larger than `maxBytes`
 */
export async function readSession(
  runner: ConcurrentRunner,
  context: SearchContext,
  request: SessionRequest,
): Promise<WholeSession | undefined> {
  const { tables } = context;
  const { projectId, sessionId, limit, maxBytes } = request;
  const small = await readSmallSession(runner, tables, request);
  if (small !== undefined) return small;
  const filters = [{ field: 'session_id', operator: 'is', type: 'string', value: sessionId } as const];
  const query = { filters, limit, offset: 0, ordered: false };
  const { events, total } = await searchEvents(runner, context, { projectId, query }, { maxBytes });
  if (total > limit) return undefined;
  const rollups = await readRollups(runner, tables, projectId, [sessionId]);
  return { events, rollup: rollups.get(sessionId) };
}

/**
 * Reads the events of a small session in two statements, and rolls them up here. Undefined for a session that is not
 * small, and for one whose rows have to be compared with others: one was moved meanwhile, two are of one event, or the index
 * of one is incomplete.
 */
async function readSmallSession(
  runner: ConcurrentRunner,
  tables: TableNames,
  { projectId, sessionId, limit, maxBytes }: SessionRequest,
): Promise<WholeSession | undefined> {
  const rows = await readRowsOfSession(runner, tables, { projectId, sessionId });
  if (rows === undefined || rows.length > limit || !areEnough(rows)) return undefined;
  const keys = rows.sort(byEngineOrder);
  const { events } = await fetchPageOfRows(runner, tables, { projectId, keys, maxBytes, areDense: true });
  if (events.length !== rows.length) return undefined;
  const facts = events.map((event, index) => factsOf(keys[index]!, event));
  return { events, rollup: rollupOfEvents(facts) };
}
