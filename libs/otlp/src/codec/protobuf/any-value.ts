import { setOwn, type JsonObject, type JsonValue } from '@assay/domain';
import { nestedTooDeep } from '../broken-span.js';
import { integerFromHalves } from '../integers.js';
import { MAX_DEPTH } from '../../limits.js';
import { readKey, readText } from './text.js';
import { BYTES, FIXED64, VARINT, type WireReader } from './wire-reader.js';

const STRING_VALUE = (1 << 3) | BYTES;
const BOOL_VALUE = (2 << 3) | VARINT;
const INT_VALUE = (3 << 3) | VARINT;
const DOUBLE_VALUE = (4 << 3) | FIXED64;
const ARRAY_VALUE = (5 << 3) | BYTES;
const KVLIST_VALUE = (6 << 3) | BYTES;
const BYTES_VALUE = (7 << 3) | BYTES;
const KEY = (1 << 3) | BYTES;
const VALUE = (2 << 3) | BYTES;
const ITEM = (1 << 3) | BYTES;

/**
 * Reads the fields of an AnyValue from the cursor to `end`. The last of several values wins, none is null.
 * NaN and infinities, which JSON cannot represent, become their names; bytes become base64.
 * @throws BrokenSpan when it is malformed or nests deeper than 64
 */
export function readAnyValue(reader: WireReader, end: number, depth: number): JsonValue {
  const outer = reader.end;
  reader.end = end;
  let value: JsonValue = null;
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    const found = readOne(reader, tag, depth);
    if (found !== undefined) value = found;
  }
  reader.end = outer;
  return value;
}

function readOne(reader: WireReader, tag: number, depth: number): JsonValue | undefined {
  switch (tag) {
    case STRING_VALUE:
      return readText(reader);
    case BOOL_VALUE:
      return (reader.varint() | reader.high) !== 0;
    case INT_VALUE:
      return integerFromHalves(reader.varint(), reader.high);
    case DOUBLE_VALUE:
      return finiteOrName(reader.double());
    case ARRAY_VALUE:
      return readArray(reader, reader.lengthEnd(), depth + 1);
    case KVLIST_VALUE:
      return readList(reader, reader.lengthEnd(), depth + 1);
    case BYTES_VALUE:
      return reader.base64();
    default:
      reader.skip(tag);
      return undefined;
  }
}

/** Adding zero turns -0, which JSON cannot represent, into 0. */
function finiteOrName(value: number): JsonValue {
  return Number.isFinite(value) ? value + 0 : String(value);
}

function readArray(reader: WireReader, end: number, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw nestedTooDeep();
  const outer = reader.end;
  reader.end = end;
  const items: JsonValue[] = [];
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === ITEM) items.push(readAnyValue(reader, reader.lengthEnd(), depth));
    else reader.skip(tag);
  }
  reader.end = outer;
  return items;
}

function readList(reader: WireReader, end: number, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw nestedTooDeep();
  const outer = reader.end;
  reader.end = end;
  const object: JsonObject = {};
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag !== ITEM) {
      reader.skip(tag);
      continue;
    }
    readKeyValue(reader, reader.lengthEnd(), depth);
    setOwn(object, reader.key, reader.value);
  }
  reader.end = outer;
  return object;
}

/** Reads a KeyValue into the reader; an absent key is the empty string, an absent value null. */
export function readKeyValue(reader: WireReader, end: number, depth: number): void {
  const outer = reader.end;
  reader.end = end;
  let key = '';
  let value: JsonValue = null;
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === KEY) key = readKey(reader);
    else if (tag === VALUE) value = readAnyValue(reader, reader.lengthEnd(), depth);
    else reader.skip(tag);
  }
  reader.end = outer;
  reader.key = key;
  reader.value = value;
}
