import { Link } from '@tanstack/react-router';
import { memo, type MouseEvent } from 'react';
import type { EventRow } from '../api/events.js';
import type { Zone } from '../format/time.js';
import { useProject } from '../url/use-project.js';
import type { Column } from './columns.js';
import { Icon } from '../ui/icon.js';
import type { ListFilter } from '../url/filters.js';
import { columnFilter } from './row-filters.js';
import { rowName } from './row-name.js';
import { numberAt } from './value-at.js';

interface Props {
  readonly row: EventRow;
  readonly index: number;
  readonly top: number;
  readonly zone: Zone;
  readonly columns: readonly Column[];
  readonly isCursor: boolean;
  readonly isSelected: boolean;
  readonly onCursor: (index: number) => void;
  readonly onSelect: (row: EventRow, index: number, isRange: boolean) => void;
  readonly onFilter: (filter: ListFilter) => void;
  /** Offers the values of the row as filters, below its name. */
  readonly onValues: (index: number) => void;
}

/** A row of a list. The whole row opens what it is about; the link is its name. */
export const Row = memo(function Row(props: Props) {
  const { row, index, top, columns, isCursor, isSelected, onCursor, onSelect } = props;
  const now = Date.now();
  return (
    <div
      {...{ role: 'row', className: 'grid-row', 'data-index': index, 'aria-rowindex': index + 2 }}
      aria-selected={isSelected}
      data-cursor={isCursor || undefined}
      data-error={hasError(row) || undefined}
      style={{ transform: `translateY(${top}px)` }}
      onFocus={() => onCursor(index)}
    >
      <span role="gridcell" className="grid-cell grid-check">
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={`Select ${rowName(row)}`}
          onClick={(event: MouseEvent) => onSelect(row, index, event.shiftKey)}
          onChange={() => undefined}
        />
      </span>
      {columns.map((column) => (
        <span
          key={column.id}
          role="gridcell"
          className="grid-cell"
          data-align={column.align}
          data-column={column.id}
        >
          <CellContent {...props} column={column} now={now} />
        </span>
      ))}
    </div>
  );
});

function CellContent(props: Props & { readonly column: Column; readonly now: number }) {
  const { row, index, column, zone, now, onFilter, onValues } = props;
  if (column.id === 'name')
    return (
      <span className="row-title">
        <NameLink row={row} />
        <button
          {...{ type: 'button', className: 'row-values', tabIndex: -1 }}
          aria-label={`Filter by a value of ${rowName(row)}`}
          title="Filter by a value of this row"
          onClick={() => onValues(index)}
        >
          <Icon name="filter" size={12} />
        </button>
      </span>
    );
  const filter = columnFilter(row, column);
  if (filter === undefined) return column.render(row, zone, now);
  return (
    <button
      {...{ type: 'button', className: 'cell-value', tabIndex: -1 }}
      onClick={(event) => onFilter(event.altKey ? { ...filter, operator: 'is not' } : filter)}
    >
      {column.render(row, zone, now)}
    </button>
  );
}

const LETTERS: Readonly<Record<string, string>> = { session: 'S', chain: 'C', model: 'M', tool: 'T' };

function NameLink({ row }: { readonly row: EventRow }) {
  const project = useProject();
  const isSession = row.event_type === 'session';
  const session = row.session_id ?? row.event_id;
  const name = row.event_name ?? row.event_id;
  return (
    <Link
      {...{
        to: '/p/$project/sessions/$session',
        params: { project, session },
        className: 'row-link',
        preload: false,
      }}
      search={isSession ? {} : { event: row.event_id }}
      title={name}
    >
      <span className="type-letter" data-type={row.event_type} aria-hidden="true">
        {LETTERS[row.event_type ?? ''] ?? '·'}
      </span>
      <bdi className="row-name">{rowName(row)}</bdi>
      {hasError(row) && (
        <span className="row-error">
          <span aria-hidden="true">✕</span>
          <span className="visually-hidden">error</span>
        </span>
      )}
    </Link>
  );
}

/** Sessions count the errors of their events. */
function hasError(row: EventRow): boolean {
  return (row.error !== null && row.error !== undefined) || (numberAt(row, 'metadata.num_errors') ?? 0) > 0;
}
