import {
  compile,
  DEFAULT_PAGE_EVENTS,
  DEFAULT_PREVIEW_CHARS,
  pageEventsRequest,
  type pageEvents,
  type PageEventsRequest,
} from '@assay/contracts';
import {
  acceptDateRange,
  acceptEventSort,
  acceptFilters,
  newestPosition,
  readEventCursor,
  readNewestCursor,
  writeEventCursor,
  writeNewestCursor,
  type EventSort,
} from '@assay/domain';
import { validationError } from '@assay/errors';
import type { EventRowsPage, EventRowsQuery } from '@assay/event-store';
import type { Operation } from '@assay/http';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { columnsOf, needsRollups, toEventRows, type Columns } from '../sessions/event-rows.js';
import { previewFields } from '../sessions/session-previews.js';
import { sentFilters } from './sent-filters.js';

const checkRequest = compile(pageEventsRequest);

/**
 * Reads a page of events without payloads. Pages continue after the last event, so concurrent writes shift no event
 * to another page.
 */
export function makePageEvents(deps: DataPlaneDeps): Operation<typeof pageEvents> {
  return ({ body }, { caller, waitMs, signal }) => {
    const columns = columnsOf(body.columns);
    const query = queryOf(body, columns, deps.now());
    return respondAfterWait(deps, waitMs, async () => {
      const startedAt = performance.now();
      const page = await deps.store.events.rows(caller.projectId, query, { signal });
      const events = toEventRows(page, columns, caller).map((row) => ({
        ...row,
        ...previewFields(page.sessionPreviews?.get(row.event_id)),
      }));
      const last = page.rows.at(-1);
      return {
        events,
        next_cursor: page.hasMore && last ? writeEventCursor(query.sort, last.position) : null,
        newest_cursor: newestCursor(page, query, deps.now()),
        ...(page.count && { count: page.count }),
        elapsed_ms: Math.round(performance.now() - startedAt),
      };
    });
  };
}

function queryOf(body: PageEventsRequest, columns: Columns, now: number): EventRowsQuery {
  const { limit = DEFAULT_PAGE_EVENTS, preview_chars: previewChars = DEFAULT_PREVIEW_CHARS } = body;
  const sent = sentFilters(body.filters, (filters) => checkRequest({ filters }).filters);
  const sort = acceptEventSort(body.sort);
  if (body.after !== undefined && !isNewestFirst(sort))
    throw validationError('after needs the order by start_time, desc: leave out sort');
  const { count = 'approximate' } = body;
  return {
    filters: acceptFilters(sent, 'strict'),
    ...acceptDateRange(body.dateRange, now),
    sort,
    ...(body.cursor !== undefined && { after: readEventCursor(sort, body.cursor) }),
    ...(body.after !== undefined && { since: readNewestCursor(body.after) }),
    limit,
    previewChars,
    payloadPaths: columns.payload,
    withSessionPreviews: true,
    withSessionRollups: needsRollups(columns),
    count: count === 'approximate' ? 'bounded' : count,
  };
}

/** Only the first page in the usual order begins with the newest event. */
function newestCursor({ rows }: EventRowsPage, { sort, after, since }: EventRowsQuery, now: number) {
  if (after !== undefined || !isNewestFirst(sort)) return null;
  const events = rows.map(({ event }) => event);
  return writeNewestCursor(newestPosition(events, since, now));
}

function isNewestFirst({ field, order }: EventSort): boolean {
  return field === 'start_time' && order === 'desc';
}
