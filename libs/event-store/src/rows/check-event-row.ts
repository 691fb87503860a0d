import { validationError } from '@assay/errors';
import { FIXED_BYTES } from './row-columns.js';
import { RowReader } from './row-reader.js';

const NAMES = 3;
const OBJECTS_AND_ORIGIN = 8;
const FLOAT_BYTES = 8;

/**
 * Looks whether the bytes are one row of `ROW_COLUMNS`, no more and no less. Rows are stored one behind the other with nothing between them, so that
 * one which is too short or too long would spoil those that follow.
 * @throws AppError `VALIDATION_ERROR`
 */
export function checkEventRow(row: Buffer): void {
  const from = new RowReader(row);
  from.skip(FIXED_BYTES);
  from.skipText();
  skipNullable(from, () => from.skipText());
  skipEach(from, () => from.skipText());
  for (let name = 0; name < NAMES; name++) from.skipText();
  skipNullable(from, () => from.skip(FLOAT_BYTES));
  skipNullable(from, () => from.skip(FLOAT_BYTES));
  skipNullable(from, () => from.skipText());
  for (let object = 0; object < OBJECTS_AND_ORIGIN; object++) from.skipText();
  skipEach(from, () => {
    from.skipText();
    from.skipText();
  });
  skipEach(from, () => {
    from.skipText();
    from.skip(FLOAT_BYTES);
  });
  from.skipText();
  from.skipText();
  if (!from.atEnd()) throw validationError('the row of an event is longer than it says');
}

function skipNullable(from: RowReader, skipValue: () => void): void {
  if (from.uint8() === 0) skipValue();
}

function skipEach(from: RowReader, skipElement: () => void): void {
  for (let left = from.varint(); left > 0; left--) skipElement();
}
