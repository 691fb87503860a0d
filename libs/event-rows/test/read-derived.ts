import { ROW_LAYOUT } from '../src/layout/row-layout.js';
import { RowReader } from '../src/codec/row-reader.js';

/** Columns that a row derives from the event, for the index. */
export interface DerivedColumns {
  readonly complete: boolean;
  readonly attrs: Readonly<Record<string, string>>;
  readonly nums: Readonly<Record<string, number>>;
  readonly run_id: string;
  readonly datapoint_id: string;
}

/** The derived columns of a row made by `encodeEventRow`. */
export function readDerived(row: Buffer): DerivedColumns {
  const from = new RowReader(row);
  from.skip(ROW_LAYOUT.fixedBytes - 1);
  const complete = from.uint8() === 1;
  from.text();
  from.nullableText();
  for (let left = from.varint(); left > 0; left--) from.text();
  for (let name = 0; name < 3; name++) from.text();
  from.nullableFloat64();
  from.nullableFloat64();
  from.nullableText();
  for (let text = 0; text < 8; text++) from.text();
  const attrs = mapOf(from, () => from.text());
  const nums = mapOf(from, () => from.float64());
  return { complete, attrs, nums, run_id: from.text(), datapoint_id: from.text() };
}

function mapOf<Value>(from: RowReader, read: () => Value): Record<string, Value> {
  return Object.fromEntries(Array.from({ length: from.varint() }, () => [from.text(), read()]));
}
