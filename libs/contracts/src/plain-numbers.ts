import { isJsonObject, type JsonObject } from '@assay/domain';

/** The part of a JSON schema that is read here. */
type Schema = Readonly<Record<string, unknown>>;

/**
 * Replaces integers of type `bigint` by the nearest numbers where the schema demands a number, in place: a time in nanoseconds
 * is one. Other values keep their digits. Returns the value, or the number in its place.
 */
export function withPlainNumbers(schema: Schema, value: unknown): unknown {
  if (typeof value === 'bigint') return isNumeric(schema) ? Number(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  for (const part of [schema['allOf'], schema['anyOf'], schema['oneOf']].flat())
    if (isSchema(part)) withPlainNumbers(part, value);
  if (Array.isArray(value)) replaceItems(schema, value);
  else if (isJsonObject(value)) replaceFields(schema, value);
  return value;
}

function isNumeric({ type }: Schema): boolean {
  return [type].flat().some((name) => name === 'number' || name === 'integer');
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}

function replaceItems({ items }: Schema, list: unknown[]): void {
  if (!isSchema(items)) return;
  for (let at = 0; at < list.length; at++) list[at] = withPlainNumbers(items, list[at]);
}

function replaceFields({ properties }: Schema, object: JsonObject): void {
  if (!isSchema(properties)) return;
  for (const [name, property] of Object.entries(properties)) {
    if (!isSchema(property) || !Object.hasOwn(object, name)) continue;
    const replaced = withPlainNumbers(property, object[name]);
    if (typeof replaced === 'number') object[name] = replaced;
  }
}
