import type { Row } from './open-rows.js';
import { keyOf } from './read-value.js';

/** Path of a row below the field, such as `inputs.chat_history[3].content`; keys that are no names are quoted. */
export function printPath(bytes: Uint8Array, field: string, path: readonly Row[]): string {
  return path
    .slice(1)
    .map(({ entry }) => (entry.key === -1 ? `[${String(entry.ordinal)}]` : printKey(keyOf(bytes, entry))))
    .reduce((printed, step) => printed + step, field);
}

function printKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
