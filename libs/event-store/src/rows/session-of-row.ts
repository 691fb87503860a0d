import { RowReader } from './row-reader.js';

const UUID_BYTES = 16;

/** Id of the session of a row made by `encodeEventRow`, read from its place. */
export function sessionOfRow(row: Buffer): string {
  const from = new RowReader(row);
  from.skip(UUID_BYTES);
  return from.uuid();
}
