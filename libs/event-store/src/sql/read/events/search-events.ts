import type { ConcurrentRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import type { Hints } from '../hints/hints.js';
import type { Completeness } from '../states/completeness.js';
import { readMatchingSessions } from '../sessions/matching-sessions.js';
import { readPage } from './read-page.js';
import type { FoundPage, RowsPage } from './read-rows-page.js';
import type { Search } from './search-queries.js';

/** What the searches of a store have in common. */
export interface SearchContext {
  readonly hints: Hints;
  readonly tables: TableNames;
  readonly completeness: Completeness;
}

/**
 * Reads a page of a search, a second time when a row of it has no payload yet.
 * @throws AppError `VALIDATION_ERROR` when the payloads together are larger than `maxBytes`
 */
export async function searchEvents(
  runner: ConcurrentRunner,
  { tables, completeness, hints }: SearchContext,
  page: Pick<Search, 'projectId' | 'query'>,
  bounds: Pick<RowsPage, 'maxBytes' | 'withDerived' | 'mayHold'>,
): Promise<FoundPage> {
  const search = { ...page, withPayload: !completeness.isKnown };
  const sessionIds = await readMatchingSessions(runner, tables, search);
  const request = { hints, ...bounds };
  if (!search.withPayload) {
    const found = await readPage(runner, tables, { search: { ...search, sessionIds }, ...request });
    if (found.isFull) return found.page;
    completeness.doubt();
  }
  completeness.compareSoon();
  const checked = { ...search, sessionIds, withPayload: true };
  return (await readPage(runner, tables, { search: checked, ...request })).page;
}
