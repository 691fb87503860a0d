import type { Binder } from '../engine/binder.js';
import { readAs } from './read-as.js';
import { exactText, numberOf, storedValue } from './stored-value.js';

/**
 * Returns the number at a field of the narrow table, null when it has none: from the index where that is complete,
 * otherwise from the stored text.
 */
export function numberAt(field: string, binder: Binder): string {
  const stored = storedValue(field);
  if (stored?.leaf === undefined) return `toNullable(${numberOf(field)})`;
  const key = binder.text(stored.leaf);
  const indexed = `if(mapContains(nums, ${key}), nums[${key}], NULL)`;
  return `if(complete, ${indexed}, ${readAs('number', exactText(stored, binder))})`;
}
