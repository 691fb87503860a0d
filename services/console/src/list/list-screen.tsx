import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { EventRow } from '../api/events.js';
import { useCommands } from '../keyboard/dispatch.js';
import { Failure } from '../ui/failure.js';
import { withFilter, type ListFilter } from '../url/filters.js';
import type { ListView, Sort } from '../url/list-view.js';
import { useProject } from '../url/use-project.js';
import { columnOf, COLUMNS, type Column, type ListKind } from './columns.js';
import { EmptyList } from './empty-list.js';
import { FilterBar } from './filter-bar.js';
import { Grid } from './grid.js';
import { Histogram } from './histogram.js';
import { ListFoot } from './list-foot.js';
import { useLiveRows } from './live.js';
import { rowsQuery } from './rows.js';
import { SelectionBar } from './selection-bar.js';
import { useListView } from './use-list-view.js';
import { ValuesMenu } from './values-menu.js';
import { useSelection, type Selection } from './use-selection.js';
import './list.css';

const NAME: Column = { id: 'name', title: 'Name', width: 'minmax(160px, 1.4fr)', render: () => null };

/** A list of sessions or of events: filters, histogram and rows of one view. */
export function ListScreen({ kind }: { readonly kind: ListKind }) {
  const { view, change } = useListView(kind);
  const [cursor, setCursor] = useState(-1);
  const { query, rows, total, onEnd } = useRows(kind, view);
  const selection = useSelection(rows);
  const [valuesAt, setValuesAt] = useState<number>();
  const onFilter = useCallback(
    (filter: ListFilter) => change({ filters: withFilter(view.filters, filter) }),
    [change, view.filters],
  );
  const columns = useMemo(() => columnsOf(kind, view.columns), [kind, view.columns]);
  useRowCommands(rows, cursor, setCursor, selection);
  const current = rows[cursor];
  useCommands({
    live: () => change({ live: !view.live }),
    rowValues: current && (() => setValuesAt(cursor)),
  });
  const offered = valuesAt === undefined ? undefined : rows[valuesAt];
  const { data, error, isPending, isPlaceholderData, isFetchingNextPage: isMore } = query;
  const isFailed = error !== null;
  const isEmpty = rows.length === 0 && data !== undefined && !isPlaceholderData;
  return (
    <div className="list-screen">
      <FilterBar kind={kind} view={view} change={change} />
      <Histogram {...{ kind, view, change, isDue: !query.isFetching || data !== undefined }} />
      {selection.rows.length > 0 && <SelectionBar kind={kind} selection={selection} />}
      {isFailed && (
        <Failure title={`The ${kind} could not be read`} error={error} onRetry={() => void query.refetch()} />
      )}
      {isEmpty ? (
        <EmptyList kind={kind} view={view} change={change} />
      ) : (
        <Grid
          {...{ label: kind, rows, columns, cursor, onCursor: setCursor, onEnd, total: total?.value }}
          {...{ sort: view.sort, onSort: (field) => change({ sort: nextSort(view.sort, field) }) }}
          {...{ selected: selection.ids, onSelect: selection.toggle, isStale: isPlaceholderData }}
          {...{ onFilter, onValues: setValuesAt }}
          footer={<ListFoot {...{ kind, isPending, isFailed, isMore, read: rows.length, total }} />}
        />
      )}
      {valuesAt !== undefined && offered !== undefined && (
        <ValuesMenu
          {...{ kind, row: offered, index: valuesAt, chosen: view.columns, onFilter }}
          onClose={() => setValuesAt(undefined)}
        />
      )}
    </div>
  );
}

/** The rows of a view: those of its pages, and above them those that arrived since. */
function useRows(kind: ListKind, view: ListView) {
  const project = useProject();
  const query = useInfiniteQuery({ ...rowsQuery(project, kind, view), placeholderData: keepPreviousData });
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage } = query;
  const live = useLiveRows(project, kind, view, data?.pages[0]);
  const rows = useMemo(
    () => unique([...live, ...(data?.pages ?? []).flatMap(({ events }) => events)]),
    [live, data],
  );
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const count = data?.pages[0]?.count;
  const total = count && { value: Math.max(count.value + live.length, rows.length), exact: count.exact };
  return { query, rows, total, onEnd };
}

function useRowCommands(
  rows: readonly EventRow[],
  cursor: number,
  setCursor: (change: (now: number) => number) => void,
  { toggle }: Selection,
): void {
  const current = rows[cursor];
  const move = (step: number) => setCursor((now) => Math.max(0, Math.min(rows.length - 1, now + step)));
  useCommands({
    rowNext: () => move(1),
    rowPrevious: () => move(-1),
    rowSelect: () => current && toggle(current, cursor, false),
    rowSelectRange: () => current && toggle(current, cursor, true),
  });
}

function columnsOf(kind: ListKind, chosen: readonly string[]): readonly Column[] {
  const { before, after } = COLUMNS[kind];
  return [...before, NAME, ...after, ...chosen.map(columnOf)];
}

/** A live row can be read again by a page. */
function unique(rows: readonly EventRow[]): readonly EventRow[] {
  const ids = new Set<string>();
  return rows.filter(({ event_id: id }) => !ids.has(id) && ids.add(id));
}

/** Largest first, then smallest first. */
function nextSort(sort: Sort, field: string): Sort {
  return { field, order: sort.field === field && sort.order === 'desc' ? 'asc' : 'desc' };
}
