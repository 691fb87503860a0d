import type { FilterFunction } from './builtin.js';
import { FILTER_NAMES } from './names.js';
import { NUMBER_FILTERS } from './number-filters.js';
import { ORDER_FILTERS } from './order-filters.js';
import { SEQUENCE_FILTERS } from './sequence-filters.js';
import { TEXT_FILTERS } from './text-filters.js';

const ALIASES: Readonly<Record<string, string>> = { d: 'default', e: 'escape', count: 'length' };
const FUNCTIONS = { ...NUMBER_FILTERS, ...ORDER_FILTERS, ...SEQUENCE_FILTERS, ...TEXT_FILTERS };

/** The closed table of filters. */
export const FILTERS: ReadonlyMap<string, FilterFunction> = new Map(
  Array.from(FILTER_NAMES, (name) => [name, FUNCTIONS[ALIASES[name] ?? name] as FilterFunction]),
);
