import type { SessionRollup } from '../../../event-store.js';
import type { ConcurrentRunner, QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import type { SmallSessions } from '../rows/newest-versions.js';
import { areEnough, rollupOfEvents, type EventFacts } from './event-facts.js';
import { readRollups } from './roll-up-sessions.js';
import { readFactsOfSessions } from './rows-of-session.js';

/** Sessions of a page whose rows are read for their roll-ups: the engine needs twice as much for the same sums. */
const MAX_OF_PAGE = 100;

/** Reads the facts of the events of the sessions of a page, of those with few events. */
export async function readPageFacts(
  runner: ConcurrentRunner,
  tables: TableNames,
  projectId: string,
  sessionIds: readonly string[],
): Promise<SmallSessions<EventFacts>> {
  if (sessionIds.length === 0 || sessionIds.length > MAX_OF_PAGE)
    return { rows: new Map(), left: sessionIds };
  return readFactsOfSessions(runner.side, tables, projectId, sessionIds);
}

/** As `readRollups`, of sessions of which the small ones are rolled up here. */
export async function rollUpPage(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  { rows, left }: SmallSessions<EventFacts>,
): Promise<Map<string, SessionRollup>> {
  const lacking = new Set([...rows].filter(([, facts]) => !areEnough(facts)).map(([session]) => session));
  const rollups = await readRollups(runner, tables, projectId, [...left, ...lacking]);
  for (const [session, facts] of rows) {
    const rollup = lacking.has(session) ? undefined : rollupOfEvents(facts);
    if (rollup !== undefined) rollups.set(session, rollup);
  }
  return rollups;
}

/** As `readRollups`, of the sessions of a page. */
export async function readPageRollups(
  runner: ConcurrentRunner,
  tables: TableNames,
  projectId: string,
  sessionIds: readonly string[],
): Promise<Map<string, SessionRollup>> {
  return rollUpPage(runner, tables, projectId, await readPageFacts(runner, tables, projectId, sessionIds));
}
