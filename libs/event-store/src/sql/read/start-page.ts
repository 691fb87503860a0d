import type { PageStart } from '../../event-store.js';
import type { ConcurrentRunner } from '../engine/engine.js';
import { readMatchingSessions } from './matching-sessions.js';
import { isPageTooLarge, PART_BYTES, readUnreadPage } from './page-parts.js';
import type { RowsPage } from './read-rows-page.js';
import { searchEvents, type SearchContext } from './search-events.js';
import type { Search } from './search-query.js';

/** Reads a page of a search, or where its events are if they are too large for one part. */
export async function readPageStart(
  runner: ConcurrentRunner,
  context: SearchContext,
  page: Pick<Search, 'projectId' | 'query'>,
  bounds: Pick<RowsPage, 'maxBytes' | 'withDerived'>,
): Promise<PageStart> {
  const maxBytes = Math.min(PART_BYTES, bounds.maxBytes);
  try {
    return { ...(await searchEvents(runner, context, page, { ...bounds, maxBytes })), unread: [] };
  } catch (error) {
    if (!isPageTooLarge(error)) throw error;
    const search = { ...page, withPayload: !context.completeness.isKnown };
    const sessionIds = await readMatchingSessions(runner, context.tables, search);
    return readUnreadPage(runner, context.tables, { ...search, sessionIds });
  }
}
