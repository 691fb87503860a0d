import { RowReader } from '@assay/event-rows';

/** Format of a result that {@link parseBinaryRows} reads. */
export const BINARY_ROWS = 'RowBinaryWithNamesAndTypes';

type Read = (reader: RowReader) => unknown;

const NULLABLE = /^Nullable\((.+)\)$/;
const LOW_CARDINALITY = /^LowCardinality\((.+)\)$/;
const ARRAY = /^Array\((.+)\)$/;
const MAP = /^Map\(((?:LowCardinality\()?String\)?), (.+)\)$/;
const UINT32 = 2 ** 32;

/**
 * Parses rows of the format {@link BINARY_ROWS}, of which the engine makes the text of JSON neither for the values nor for the
 * names. The values are those that the same rows have as `JSONEachRow`, with lists of numbers in typed arrays.
 * @throws when a column has a type that no statement in this format selects
 */
export function parseBinaryRows<Row>(bytes: Uint8Array): Row[] {
  const reader = new RowReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (reader.atEnd()) return [];
  const count = reader.varint();
  const names = Array.from({ length: count }, () => reader.text());
  const reads = Array.from({ length: count }, () => readOf(reader.text()));
  // An object to which so many fields are added one by one would be a slow hash table.
  const template = JSON.parse(
    JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))),
  ) as object;
  const rows: Row[] = [];
  while (!reader.atEnd()) {
    const row: Record<string, unknown> = { ...template };
    for (let index = 0; index < count; index++) row[names[index] as string] = reads[index]?.(reader);
    rows.push(row as Row);
  }
  return rows;
}

const READS: Readonly<Record<string, Read>> = {
  UInt8: (reader) => reader.uint8(),
  UInt32: (reader) => reader.uint32(),
  UInt64: (reader) => reader.uint32() + reader.uint32() * UINT32,
  Bool: (reader) => reader.uint8() === 1,
  Float64: (reader) => finite(reader.float64()),
};

/** Lists of numbers can be long: they are copied as a whole, into typed arrays. */
const NUMBER_LISTS: Readonly<Record<string, Read>> = {
  UInt8: (reader) => new Uint8Array(itemBytes(reader, Uint8Array.BYTES_PER_ELEMENT)),
  UInt32: (reader) => new Uint32Array(itemBytes(reader, Uint32Array.BYTES_PER_ELEMENT)),
  Float64: (reader) => new Float64Array(itemBytes(reader, Float64Array.BYTES_PER_ELEMENT)),
};

/** The bytes of a list, aligned. Machines that Node runs on have the byte order of the format. */
function itemBytes(reader: RowReader, bytesPerItem: number): ArrayBuffer {
  const length = reader.varint() * bytesPerItem;
  const start = reader.offset;
  reader.skip(length);
  return new Uint8Array(reader.row.subarray(start, start + length)).buffer;
}

function readOf(type: string): Read {
  const read = READS[type];
  if (read !== undefined) return read;
  const [, nullable] = NULLABLE.exec(type) ?? [];
  if (nullable !== undefined) return orNull(readOf(nullable));
  if (type === 'String') return textOfColumn();
  const [, repeated] = LOW_CARDINALITY.exec(type) ?? [];
  if (repeated !== undefined) return readOf(repeated);
  const [, item] = ARRAY.exec(type) ?? [];
  if (item !== undefined) return NUMBER_LISTS[item] ?? listOf(readOf(item));
  const [, key, value] = MAP.exec(type) ?? [];
  if (key !== undefined && value !== undefined) return mapOf(readOf(key), readOf(value));
  throw new Error(`columns of the type ${type} are not read`);
}

/** JSON has no other numbers. */
function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}

function orNull(read: Read): Read {
  return (reader) => (reader.uint8() === 1 ? null : read(reader));
}

/** Reads the texts of a column, of which many are the one before. */
function textOfColumn(): Read {
  const last = { start: 0, bytes: 0, text: '' };
  return (reader) => reader.textAfter(last);
}

function listOf(read: Read): Read {
  return (reader) => {
    const items: unknown[] = [];
    for (let left = reader.varint(); left > 0; left--) items.push(read(reader));
    return items;
  };
}

function mapOf(readKey: Read, readValue: Read): Read {
  return (reader) => {
    const entries: Record<string, unknown> = {};
    for (let left = reader.varint(); left > 0; left--) entries[readKey(reader) as string] = readValue(reader);
    return entries;
  };
}
