import type { JsonValue } from '@assay/domain';
import type { Attributes } from '../../messages.js';
import { readAnyValue } from './any-value.js';
import { keyOf, type Fields } from './fields.js';

/**
 * Reads a list of key-values. Entries with a non-string key or a null value are skipped, an absent key is
 * empty, and the last of a repeated key wins.
 */
export function readAttributes(entries: readonly unknown[], clean: (text: string) => string): Attributes {
  const attributes = new Map<string, JsonValue>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === undefined) continue;
    const value = readAnyValue((entry as Fields)['value'], clean);
    if (value !== undefined) attributes.set(clean(key), value);
  }
  return attributes;
}
