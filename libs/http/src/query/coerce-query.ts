import { validationError } from '@assay/errors';
import { isJsonObject, parseExactJson, type JsonValue } from '@assay/domain';
import { parsePythonLiteral } from './python-literal.js';
import type { QueryObject } from './query-string.js';

/** The part of a JSON schema that is read here. */
export interface QuerySchema {
  readonly [keyword: string]: unknown;
}

type Property = Readonly<Record<string, unknown>>;

/**
 * Converts the strings of a query to the types of the schema. Clients write objects and lists as JSON, as Python's `repr`,
 * or in brackets. Values that cannot be converted stay unchanged, and the schema rejects them.
 * @throws AppError `VALIDATION_ERROR` when a parameter starts like JSON or a Python literal but is neither
 */
export function coerceQuery(schema: QuerySchema, query: QueryObject): Record<string, unknown> {
  const properties = propertiesOf(schema);
  const coerced = Object.entries(query).map(([name, value]): [string, unknown] => [
    name,
    coerceValue(name, properties.get(name) ?? {}, value),
  ]);
  return Object.fromEntries(coerced.filter(([, value]) => value !== undefined));
}

function propertiesOf(schema: QuerySchema): ReadonlyMap<string, Property> {
  const { properties } = schema;
  return new Map(
    Object.entries(isProperty(properties) ? properties : {}).map(([name, property]) => [
      name,
      isProperty(property) ? property : {},
    ]),
  );
}

function isProperty(value: unknown): value is Property {
  return typeof value === 'object' && value !== null;
}

function coerceValue(name: string, property: Property, value: unknown): unknown {
  const types = [property.type].flat();
  if (types.includes('array')) return coerceList(name, types, value);
  if (typeof value !== 'string') return value;
  if (types.includes('object')) return coerceStructure(name, types, value);
  return coerceScalar(name, property, types, value);
}

/** Reads a list in any dialect. A single item becomes a list of one. */
function coerceList(name: string, types: unknown[], value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item) =>
      typeof item === 'string' && looksStructured(item) ? parseStructure(name, item) : (item as unknown),
    );
  const read = typeof value === 'string' ? coerceStructure(name, ['string'], value) : value;
  if (Array.isArray(read) || types.includes('object') || read === undefined) return read;
  return isFilterArray(read) ? read.filterArray : [read];
}

function isFilterArray(value: unknown): value is { filterArray: JsonValue[] } {
  return (
    typeof value === 'object' && value !== null && 'filterArray' in value && Array.isArray(value.filterArray)
  );
}

function coerceStructure(name: string, types: unknown[], text: string): JsonValue | undefined {
  if (text === 'None') return undefined;
  if (looksStructured(text)) return parseStructure(name, text);
  if (types.includes('string')) return text;
  throw validationError(`${name} must be an object`);
}

function looksStructured(text: string): boolean {
  return /^\s*[[{(]/.test(text);
}

function parseStructure(name: string, text: string): JsonValue {
  const value = parseJsonText(text) ?? parsePythonLiteral(text);
  if (value === undefined) throw validationError(`${name} must be JSON`);
  return value;
}

function parseJsonText(text: string): JsonValue | undefined {
  try {
    const value = parseExactJson(text);
    return isJsonObject(value) || Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const DECIMAL = /^[+-]?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/;

/** Python clients send an absent argument as the text `None`. It means absent, except for free text. */
function coerceScalar(name: string, property: Property, types: unknown[], text: string): unknown {
  if (text === 'None' && !isFreeText(name, property, types)) return undefined;
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if ((types.includes('number') || types.includes('integer')) && DECIMAL.test(text)) return Number(text);
  return text;
}

/** Names of parameters that hold an id. */
const ID_NAME = /(^|_)id$/;

function isFreeText(name: string, property: Property, types: unknown[]): boolean {
  return (
    types.includes('string') &&
    property.format === undefined &&
    property.enum === undefined &&
    !ID_NAME.test(name)
  );
}
