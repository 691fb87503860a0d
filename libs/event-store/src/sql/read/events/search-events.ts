import type { ConcurrentRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import type { Hints } from '../hints/hints.js';
import { readMatchingSessions } from '../sessions/matching-sessions.js';
import { readPage } from './read-page.js';
import type { FoundPage, RowsPage } from './read-rows-page.js';
import type { Search } from './search-queries.js';

/** What the searches of a store have in common. */
export interface SearchContext {
  readonly hints: Hints;
  readonly tables: TableNames;
}

/**
 * Reads a page of a search, a second time when one of its events was moved or deleted meanwhile.
 * @throws AppError `VALIDATION_ERROR` when the payloads together are larger than `maxBytes`
 */
export async function searchEvents(
  runner: ConcurrentRunner,
  { tables, hints }: SearchContext,
  page: Pick<Search, 'projectId' | 'query'>,
  bounds: Pick<RowsPage, 'maxBytes' | 'withDerived' | 'mayHold'>,
): Promise<FoundPage> {
  const sessionIds = await readMatchingSessions(runner, tables, page);
  const request = { search: { ...page, sessionIds }, hints, ...bounds };
  const found = await readPage(runner, tables, request);
  return found.isFull ? found.page : (await readPage(runner, tables, request)).page;
}
