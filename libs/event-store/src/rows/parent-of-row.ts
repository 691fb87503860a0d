import { FIXED_BYTES } from './row-columns.js';
import { RowReader } from './row-reader.js';

const UUID = /^[0-9a-f-]{36}$/;

/** Id of the parent of a row made by `encodeEventRow`, read from its place; undefined when it has none, or one that is no lower-case UUID. */
export function parentOfRow(row: Buffer): string | undefined {
  const from = new RowReader(row);
  from.skip(FIXED_BYTES);
  from.skipText();
  const id = from.nullableText();
  return id !== null && UUID.test(id) ? id : undefined;
}
