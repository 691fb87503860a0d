import { useRef } from 'react';
import type { EventRow } from '../api/events.js';
import { MenuAt } from '../ui/menu.js';
import type { ListFilter } from '../url/filters.js';
import type { ListKind } from './columns.js';
import { rowFilters } from './row-filters.js';

interface Props {
  readonly kind: ListKind;
  readonly row: EventRow;
  readonly index: number;
  readonly chosen: readonly string[];
  readonly onFilter: (filter: ListFilter) => void;
  readonly onClose: () => void;
}

/** Adds a filter for what a row has, or against it. */
export function ValuesMenu({ kind, row, index, chosen, onFilter, onClose }: Props) {
  const anchor = useRef(document.querySelector(`[data-index="${index}"] [data-column="name"]`));
  const filters = rowFilters(kind, row, chosen);
  const entriesOf = (operator: 'is' | 'is not') =>
    filters.map(({ field, value }, at) => ({
      id: `${operator}:${at}`,
      label: `${field} ${operator} ${value}`,
    }));
  function onAction(id: string): void {
    const [operator, at] = id.split(':');
    const filter = filters[Number(at)];
    if (filter !== undefined) onFilter({ ...filter, operator: operator === 'is' ? 'is' : 'is not' });
  }
  return (
    <MenuAt
      {...{ anchor, onAction, onClose, label: 'Filter by a value' }}
      sections={[
        { title: 'Only rows like this', entries: entriesOf('is') },
        { title: 'Without rows like this', entries: entriesOf('is not') },
      ]}
    />
  );
}
