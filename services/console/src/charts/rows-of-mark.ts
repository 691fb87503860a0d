import { isBroken, printFilter, type FilterChip } from '../url/filters.js';
import type { Definition } from './definition.js';
import type { Series } from './series.js';

/** A list with the rows that a mark of a chart counts. */
export interface RowsOfMark {
  readonly kind: 'sessions' | 'events';
  readonly search: { readonly f: readonly string[]; readonly from: string; readonly to: string };
}

const isOfSessions = (chip: FilterChip) =>
  !isBroken(chip) && chip.field === 'event_type' && chip.operator === 'is' && chip.value === 'session';
const isNoSessions = (chip: FilterChip) =>
  !isBroken(chip) && chip.field === 'event_type' && chip.operator === 'is not' && chip.value === 'session';

/** Returns the list of what a mark counts: the filters of the chart, its group, and the time of its bucket. */
export function rowsOfMark(
  { filters, group }: Pick<Definition, 'filters' | 'group'>,
  { name, isRest }: Pick<Series, 'name' | 'isRest'>,
  { from, to }: { readonly from: number; readonly to: number },
): RowsOfMark {
  const kind = filters.some(isOfSessions) ? 'sessions' : 'events';
  // The lists have sessions or events anyhow.
  const own = filters.filter((chip) => !isOfSessions(chip) && !isNoSessions(chip));
  const ofGroup: FilterChip[] =
    group === '' || isRest
      ? []
      : [{ field: group, operator: name === '' ? 'not exists' : 'is', value: name, type: 'string' }];
  return {
    kind,
    search: {
      f: [...own, ...ofGroup].map(printFilter),
      ...{ from: new Date(from).toISOString(), to: new Date(to).toISOString() },
    },
  };
}
