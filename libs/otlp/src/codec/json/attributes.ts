import type { JsonValue } from '@assay/domain';
import type { Attributes } from '../../messages.js';
import { readAnyValue } from './any-value.js';
import { keyOf, type Fields } from './fields.js';

/** Reads a list of key-values. An entry whose key is no text and a value of null are passed over, an absent key is empty; of a repeated key the last counts. */
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
