import type { EventRow } from '../api/events.js';
import { UNNAMED } from '../format/name.js';
import type { ListFilter } from '../url/filters.js';
import type { Column, ListKind } from './columns.js';
import { valueAt } from './value-at.js';

/** A longer value makes no useful filter. */
const MAX_CHARACTERS = 500;
const CHOSEN = /^(?:metadata|metrics|feedback|user_properties)\./;

/** Returns the filter for rows with the same value in a column that a person has chosen; undefined when the row has none. */
export function columnFilter(row: EventRow, { id }: Pick<Column, 'id'>): ListFilter | undefined {
  return CHOSEN.test(id) ? filterOf(id, valueAt(row, id)) : undefined;
}

/** Returns what a row has in common with others: its name, type, session, error and the chosen columns. */
export function rowFilters(kind: ListKind, row: EventRow, chosen: readonly string[]): readonly ListFilter[] {
  const own: readonly (ListFilter | undefined)[] = [
    row.event_name === UNNAMED ? undefined : filterOf('event_name', row.event_name),
    kind === 'events' ? filterOf('event_type', row.event_type) : undefined,
    kind === 'events' ? filterOf('session_id', row.session_id) : undefined,
    filterOf('error', row.error),
    ...chosen.map((id) => columnFilter(row, { id })),
  ];
  return own.filter((filter) => filter !== undefined);
}

function filterOf(field: string, value: unknown): ListFilter | undefined {
  switch (typeof value) {
    case 'string':
      return value === '' || value.length > MAX_CHARACTERS
        ? undefined
        : { field, operator: 'is', value, type: 'string' };
    case 'boolean':
      return { field, operator: 'is', value: String(value), type: 'boolean' };
    case 'number':
    case 'bigint':
      return { field, operator: 'is', value: String(value), type: 'number' };
    default:
      return undefined;
  }
}
