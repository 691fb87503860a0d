import { isBroken, type FilterChip } from '../url/filters.js';

/** Returns a filter as its chip says it. */
export const chipText = (chip: FilterChip): string =>
  isBroken(chip) ? chip.broken : [chip.field, chip.operator, chip.value].join(' ').trim();
