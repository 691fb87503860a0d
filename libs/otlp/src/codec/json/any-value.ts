import { setOwn, type JsonObject, type JsonValue } from '@assay/domain';
import { jsonText, nestedTooDeep } from '../broken-span.js';
import { integerFromText } from '../integers.js';
import { MAX_DEPTH } from '../../limits.js';
import { field, isFields, keyOf, type Fields } from './fields.js';

/**
 * Reads an OTLP/JSON AnyValue. Of several values the first wins, in the order string, bool, int, double,
 * array, kvlist, bytes.
 * @returns undefined when the value is present but null (`{"doubleValue": null}`), null when the AnyValue is
 * empty
 * @throws BrokenSpan when it nests deeper than 64
 */
export function readAnyValue(
  value: unknown,
  clean: (text: string) => string,
  depth = 0,
): JsonValue | undefined {
  if (!isFields(value)) return bareScalar(value, clean);
  if (typeof value['stringValue'] === 'string') return clean(value['stringValue']);
  return readScalar(value, clean) ?? readContainer(value, clean, depth) ?? emptyOrAbsent(value);
}

function bareScalar(value: unknown, clean: (text: string) => string): JsonValue {
  if (typeof value === 'string') return clean(value);
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function readScalar(value: Fields, clean: (text: string) => string): JsonValue | undefined {
  const string = field(value, 'stringValue', 'string_value');
  if (string !== undefined) return clean(asText(string));
  const bool = field(value, 'boolValue', 'bool_value');
  if (bool !== undefined) return readBool(bool);
  const int = field(value, 'intValue', 'int_value');
  if (int !== undefined) return readInt(int);
  const double = field(value, 'doubleValue', 'double_value');
  return double === undefined ? undefined : readDouble(double);
}

function readContainer(value: Fields, clean: (text: string) => string, depth: number): JsonValue | undefined {
  const array = field(value, 'arrayValue', 'array_value');
  if (array !== undefined) return readArray(array, clean, depth + 1);
  const list = field(value, 'kvlistValue', 'kvlist_value');
  if (list !== undefined) return readList(list, clean, depth + 1);
  const bytes = field(value, 'bytesValue', 'bytes_value');
  return bytes === undefined ? undefined : readBytes(asText(bytes));
}

const VALUE_FIELD = /^(?:string|bool|int|double|array|kvlist|bytes)(?:Value|_value)$/;

function emptyOrAbsent(value: Fields): null | undefined {
  return Object.keys(value).some((key) => VALUE_FIELD.test(key)) ? undefined : null;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value);
}

function readBool(value: unknown): JsonValue {
  if (typeof value === 'boolean') return value;
  const text = asText(value).toLowerCase();
  return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : asText(value);
}

function readInt(value: unknown): JsonValue {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) || !Number.isInteger(value) ? value : BigInt(value).toString();
  if (typeof value === 'string') return integerFromText(value);
  if (!isFields(value)) return asText(value);
  const { low, high } = value;
  if (!Number.isInteger(low) || !Number.isInteger(high)) return asText(value);
  return integerFromText(((BigInt(high as number) << 32n) + BigInt((low as number) >>> 0)).toString());
}

/** Adding zero turns -0, which JSON cannot represent, into 0. */
function readDouble(value: unknown): JsonValue {
  if (typeof value === 'number') return value + 0;
  const text = asText(value);
  const number = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(number) ? number + 0 : text;
}

function readArray(value: unknown, clean: (text: string) => string, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw nestedTooDeep();
  const values = isFields(value) ? value['values'] : value;
  if (!Array.isArray(values)) return [];
  return values.map((item) => readAnyValue(item, clean, depth) ?? null);
}

function readList(value: unknown, clean: (text: string) => string, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw nestedTooDeep();
  const entries = isFields(value) ? value['values'] : value;
  const object: JsonObject = {};
  if (!Array.isArray(entries)) return object;
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === undefined) continue;
    const item = readAnyValue((entry as Fields)['value'], clean, depth);
    if (item !== undefined) setOwn(object, clean(key), item);
  }
  return object;
}

/**
 * Standard and url-safe base64 become standard base64, so that both encodings of a request give one value.
 */
function readBytes(text: string): string {
  return /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) ? Buffer.from(text, 'base64').toString('base64') : text;
}
