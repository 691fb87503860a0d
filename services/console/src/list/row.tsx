import { Link } from '@tanstack/react-router';
import { memo, type MouseEvent } from 'react';
import type { EventRow } from '../api/events.js';
import type { Zone } from '../format/time.js';
import { useProject } from '../url/use-project.js';
import type { Column } from './columns.js';
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
}

/** A row of a list. The whole row opens what it is about; the link is its name. */
export const Row = memo(function Row(props: Props) {
  const { row, index, top, columns, zone, isCursor, isSelected, onCursor, onSelect } = props;
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
          aria-label={`Select ${row.event_name ?? row.event_id}`}
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
          {column.id === 'name' ? <NameLink row={row} /> : column.render(row, zone, now)}
        </span>
      ))}
    </div>
  );
});

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
      <span className="row-name">{name}</span>
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
