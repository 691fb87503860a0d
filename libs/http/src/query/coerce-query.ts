import { validationError } from '@assay/errors';
import { isJsonObject, type JsonValue } from '@assay/domain';
import { parsePythonLiteral } from './python-literal.js';
import type { QueryObject } from './query-string.js';

/** As much of a schema as is looked at. */
export interface QuerySchema {
  readonly [keyword: string]: unknown;
}

type Property = Readonly<Record<string, unknown>>;

/**
 * Gives the texts of a query the types that the schema asks for: a query string knows only text. Clients write objects and
 * lists as JSON, as Python's `repr`, or in brackets. What does not fit is left as it is, for the schema to refuse.
 * @throws AppError `VALIDATION_ERROR` when a parameter looks like JSON or Python, and is neither
 */
export function coerceQuery(schema: QuerySchema, query: QueryObject): Record<string, unknown> {
  const properties = propertiesOf(schema);
  const fitted = Object.entries(query).map(([name, value]): [string, unknown] => [
    name,
    fit(name, properties.get(name) ?? {}, value),
  ]);
  return Object.fromEntries(fitted.filter(([, value]) => value !== undefined));
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

function fit(name: string, property: Property, value: unknown): unknown {
  const types = [property.type].flat();
  if (types.includes('array')) return fitList(name, types, value);
  if (typeof value !== 'string') return value;
  if (types.includes('object')) return fitStructure(name, types, value);
  return fitScalar(name, property, types, value);
}

/** A list in any dialect. One item, however it was written, is a list of one. */
function fitList(name: string, types: unknown[], value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item) =>
      typeof item === 'string' && looksStructured(item) ? structure(name, item) : (item as unknown),
    );
  const read = typeof value === 'string' ? fitStructure(name, ['string'], value) : value;
  if (Array.isArray(read) || types.includes('object') || read === undefined) return read;
  return isFilterArray(read) ? read.filterArray : [read];
}

function isFilterArray(value: unknown): value is { filterArray: JsonValue[] } {
  return (
    typeof value === 'object' && value !== null && 'filterArray' in value && Array.isArray(value.filterArray)
  );
}

function fitStructure(name: string, types: unknown[], text: string): JsonValue | undefined {
  if (text === 'None') return undefined;
  if (looksStructured(text)) return structure(name, text);
  if (types.includes('string')) return text;
  throw validationError(`${name} must be an object`);
}

function looksStructured(text: string): boolean {
  return /^\s*[[{(]/.test(text);
}

function structure(name: string, text: string): JsonValue {
  const value = parseJsonText(text) ?? parsePythonLiteral(text);
  if (value === undefined) throw validationError(`${name} must be JSON`);
  return value;
}

function parseJsonText(text: string): JsonValue | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) || Array.isArray(value) ? (value as JsonValue) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const DECIMAL = /^[+-]?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/;

/** Python writes an absent argument as the text `None`: for anything but free text that means absent. */
function fitScalar(name: string, property: Property, types: unknown[], text: string): unknown {
  if (text === 'None' && !isFreeText(name, property, types)) return undefined;
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if ((types.includes('number') || types.includes('integer')) && DECIMAL.test(text)) return Number(text);
  return text;
}

/** The name of a parameter that takes an id. */
const ID_NAME = /(^|_)id$/;

function isFreeText(name: string, property: Property, types: unknown[]): boolean {
  return (
    types.includes('string') &&
    property.format === undefined &&
    property.enum === undefined &&
    !ID_NAME.test(name)
  );
}
