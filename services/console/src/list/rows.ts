import { infiniteQueryOptions } from '@tanstack/react-query';
import type { EventPage, PageRequest } from '../api/events.js';
import { pageOfNamedEvents } from '../api/named-sessions.js';
import { isBroken, toWireFilter, type WireFilter } from '../url/filters.js';
import { toDateRange, type ListView } from '../url/list-view.js';
import { requestedColumns, type ListKind } from './columns.js';

const PAGE = 100;
const PREVIEW_CHARS = 300;

/** The conditions of a list as requests have them: those of the view, and that sessions are events of one type. */
export function wireFilters(kind: ListKind, view: ListView): WireFilter[] {
  const ofKind: WireFilter[] =
    kind === 'sessions'
      ? [{ field: 'event_type', operator: 'is', value: 'session', type: 'string' }]
      : [{ field: 'event_type', operator: 'is not', value: 'session', type: 'string' }];
  return [...ofKind, ...view.filters.flatMap((chip) => (isBroken(chip) ? [] : [toWireFilter(chip)]))];
}

export function pageRequest(kind: ListKind, view: ListView): PageRequest {
  return {
    filters: wireFilters(kind, view),
    dateRange: toDateRange(view.range),
    sort: view.sort,
    limit: PAGE,
    columns: requestedColumns(kind, view.columns),
    preview_chars: PREVIEW_CHARS,
  };
}

/** The pages of a list, read as far as a person has scrolled. */
export function rowsQuery(project: string, kind: ListKind, view: ListView) {
  const request = pageRequest(kind, view);
  return infiniteQueryOptions({
    queryKey: ['rows', project, kind, request],
    queryFn: ({ pageParam, signal }): Promise<EventPage> =>
      pageOfNamedEvents(
        project,
        pageParam === undefined ? request : { ...request, cursor: pageParam, count: 'none' },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
}
