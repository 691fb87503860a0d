import { parseStoredJson, type JsonObject, type JsonValue, type NamedField } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { RowReader } from './row-reader.js';

const UUID_BYTES = 16;
const FLOAT_BYTES = 8;

/**
 * Reads the value of a field.
 * @throws AppError `VALIDATION_ERROR` when the bytes end too early, or text is not JSON
 */
export function readField({ type }: NamedField, reader: RowReader): JsonValue {
  switch (type) {
    case 'object':
      return readObject(reader);
    case 'text':
      return reader.text();
    case 'textOrNull':
      return reader.nullableText();
    case 'numberOrNull':
      return reader.nullableFloat64();
    case 'number':
      return reader.float64();
    case 'uuid':
      return reader.uuid();
    case 'textList':
      return Array.from({ length: reader.varint() }, () => reader.text());
  }
}

/** Advances beyond the value of a field. @throws AppError `VALIDATION_ERROR` when the bytes end too early */
export function skipField({ type }: NamedField, reader: RowReader): void {
  switch (type) {
    case 'object':
    case 'text':
      return reader.skipText();
    case 'textOrNull':
      return reader.uint8() === 0 ? reader.skipText() : undefined;
    case 'numberOrNull':
      return reader.uint8() === 0 ? reader.skip(FLOAT_BYTES) : undefined;
    case 'number':
      return reader.skip(FLOAT_BYTES);
    case 'uuid':
      return reader.skip(UUID_BYTES);
    case 'textList':
      return skipEach(reader, () => reader.skipText());
  }
}

/** Advances beyond the elements of an array or a map. */
function skipEach(reader: RowReader, skipElement: () => void): void {
  for (let left = reader.varint(); left > 0; left--) skipElement();
}

/**
 * Reads an open object if one of its keys may contain one of these texts; returns an empty one otherwise.
 * @throws AppError `VALIDATION_ERROR` when the bytes end too early, or text is not JSON
 */
export function readObjectWith(parts: readonly string[], reader: RowReader): JsonObject {
  const bytes = reader.bytes();
  // A key with an escaped character can contain any text.
  const mayContain = parts.some((part) => bytes.includes(part, 0, 'latin1')) || bytes.includes('\\u');
  return mayContain ? parseObject(bytes.toString()) : {};
}

function readObject(reader: RowReader): JsonObject {
  return parseObject(reader.text());
}

function parseObject(text: string): JsonObject {
  try {
    return parseStoredJson(text) as JsonObject;
  } catch (error) {
    throw validationError('the row of an event holds text that is not JSON', { cause: error });
  }
}

/** Skips the leaves of the index and the ids of run and datapoint. */
export function skipIndex(reader: RowReader): void {
  for (let left = reader.varint(); left > 0; left--) {
    reader.skipText();
    reader.skipText();
  }
  for (let left = reader.varint(); left > 0; left--) {
    reader.skipText();
    reader.skip(FLOAT_BYTES);
  }
  reader.skipText();
  reader.skipText();
}
