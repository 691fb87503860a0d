import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import type { EventRow } from '../api/events.js';
import type { Zone } from '../format/time.js';
import { usePreferences } from '../theme/preferences.js';
import type { ListFilter } from '../url/filters.js';
import type { Sort } from '../url/list-view.js';
import { Row } from './row.js';
import type { Column } from './columns.js';
import './grid.css';

interface Props {
  readonly label: string;
  readonly rows: readonly EventRow[];
  readonly columns: readonly Column[];
  readonly sort: Sort;
  readonly onSort: (field: string) => void;
  readonly cursor: number;
  readonly onCursor: (index: number) => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (row: EventRow, index: number, isRange: boolean) => void;
  readonly onFilter: (filter: ListFilter) => void;
  readonly onValues: (index: number) => void;
  /** Called when the last rows are near. */
  readonly onEnd: () => void;
  readonly total: number | undefined;
  readonly isStale: boolean;
  readonly footer: ReactNode;
}

const ROW_PX = { normal: 28, dense: 24 } as const;
const OVERSCAN = 6;

/** A table of any length: only the rows in sight are in the document. Each row is a link. */
export function Grid(props: Props) {
  const { rows, columns, cursor, onEnd, isStale } = props;
  const { density, zone } = usePreferences();
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX[density],
    overscan: OVERSCAN,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 20) onEnd();
  }, [last, rows.length, onEnd]);
  useFocusedCursor(scroller, cursor, (index) => virtual.scrollToIndex(index));
  useEffect(() => virtual.measure(), [virtual, density]);
  const template = ['32px', ...columns.map(({ width }) => width)].join(' ');
  return (
    <div className="grid-scroller" ref={scroller} data-stale={isStale || undefined}>
      <div
        {...{ className: 'grid', role: 'grid', 'aria-label': props.label, 'aria-busy': isStale }}
        aria-rowcount={(props.total ?? rows.length) + 1}
        style={{ '--columns': template } as Record<string, string>}
      >
        <HeaderRow {...props} />
        <div role="rowgroup" className="grid-body" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => (
            <VisibleRow key={rows[index]?.event_id} {...props} index={index} top={start} zone={zone} />
          ))}
        </div>
      </div>
      {props.footer}
    </div>
  );
}

function VisibleRow(props: Props & { readonly index: number; readonly top: number; readonly zone: Zone }) {
  const { rows, index } = props;
  const row = rows[index];
  if (row === undefined) return null;
  return (
    <Row
      {...{ row, index, top: props.top, zone: props.zone, columns: props.columns, onCursor: props.onCursor }}
      isCursor={index === props.cursor}
      isSelected={props.selected.has(row.event_id)}
      {...{ onSelect: props.onSelect, onFilter: props.onFilter, onValues: props.onValues }}
    />
  );
}

function HeaderRow({ columns, sort, onSort }: Props) {
  return (
    <div role="rowgroup" className="grid-head">
      <div role="row" className="grid-row" aria-rowindex={1}>
        <span role="columnheader" className="grid-cell">
          <span className="visually-hidden">Selected</span>
        </span>
        {columns.map((column) => (
          <HeaderCell key={column.id} column={column} sort={sort} onSort={onSort} />
        ))}
      </div>
    </div>
  );
}

function HeaderCell({ column, sort, onSort }: Pick<Props, 'sort' | 'onSort'> & { readonly column: Column }) {
  const { title, align, sort: field } = column;
  const isSorted = field !== undefined && field === sort.field;
  const order = sort.order === 'asc' ? 'ascending' : 'descending';
  return (
    <span
      role="columnheader"
      className="grid-cell"
      data-align={align}
      aria-sort={isSorted ? order : undefined}
    >
      {field === undefined ? (
        <span title={title}>{title}</span>
      ) : (
        <button type="button" title={`Sort by ${title}`} onClick={() => onSort(field)}>
          {title}
          {isSorted && <span aria-hidden="true"> {sort.order === 'asc' ? '▲' : '▼'}</span>}
        </button>
      )}
    </span>
  );
}

/**
 * Moves the focus to the row of the cursor once it is in the document. A row in sight has it before the next key, so that Enter opens the
 * row that the key before has chosen.
 */
function useFocusedCursor(
  scroller: React.RefObject<HTMLDivElement | null>,
  cursor: number,
  scrollTo: (index: number) => void,
): void {
  const scroll = useRef(scrollTo);
  scroll.current = scrollTo;
  useLayoutEffect(() => {
    if (cursor < 0) return undefined;
    const focus = () => {
      const link = scroller.current?.querySelector<HTMLElement>(`[data-index="${cursor}"] a`);
      link?.focus({ preventScroll: true });
      return link !== null && link !== undefined;
    };
    scroll.current(cursor);
    if (focus()) return undefined;
    const frame = requestAnimationFrame(focus);
    return () => cancelAnimationFrame(frame);
  }, [scroller, cursor]);
}
