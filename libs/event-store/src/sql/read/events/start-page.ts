import type { PageStart } from '../../../event-store.js';
import type { ConcurrentRunner } from '../../engine/engine.js';
import { readMatchingSessions } from '../sessions/matching-sessions.js';
import type { FetchedPage } from './fetch-page.js';
import { isPageTooLarge, PAGE_BYTES, readUnreadPage } from './continue-page.js';
import type { RowsPage } from './read-rows-page.js';
import { searchEvents, type SearchContext } from './search-events.js';
import type { Search } from './search-queries.js';

/**
 * Reads a page of a search, the rows of its events if they are many, or where its events are if they are too large to be held together.
 */
export async function readPageStart(
  runner: ConcurrentRunner,
  context: SearchContext,
  page: Pick<Search, 'projectId' | 'query'>,
  bounds: Pick<RowsPage, 'maxBytes' | 'withDerived'>,
): Promise<Omit<PageStart, 'parts'> & Pick<FetchedPage, 'held'>> {
  const maxBytes = Math.min(PAGE_BYTES, bounds.maxBytes);
  try {
    const held = { ...bounds, maxBytes, mayHold: true };
    return { ...(await searchEvents(runner, context, page, held)), unread: [] };
  } catch (error) {
    if (!isPageTooLarge(error)) throw error;
    const sessionIds = await readMatchingSessions(runner, context.tables, page);
    return readUnreadPage(runner, context.tables, { ...page, sessionIds });
  }
}
