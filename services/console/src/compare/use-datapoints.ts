import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { compareDatapoints, type RunPair } from '../api/run-results.js';
import type { CompareView } from './compare-view.js';

const PAGE = 100;
/** Characters of inputs and outputs in a row. */
const PREVIEW = 160;

/** The datapoints of two runs in the order of the view, page by page. */
export function useDatapoints(pair: RunPair, view: CompareView) {
  const { metric, event, only, sort } = view;
  const query = useInfiniteQuery({
    queryKey: ['compared datapoints', pair, metric, event, only, sort],
    queryFn: ({ pageParam, signal }) =>
      compareDatapoints(
        pair,
        {
          ...{ sort, limit: PAGE, preview_chars: PREVIEW },
          ...(only.length > 0 && { only: [...only] }),
          ...(metric !== undefined && { metric }),
          ...(event !== undefined && { event_name: event }),
          ...(pageParam !== '' && { cursor: pageParam }),
        },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows) ?? [], [query.data]);
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = query;
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return { query, rows, onEnd };
}
