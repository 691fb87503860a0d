import type { Route, TSchema } from '@assay/contracts';

/** Schemas of fields by name. */
export type Properties = Readonly<Record<string, object>>;

/** Schema keywords that only the validation of this product knows, or that must be unique among all tools. */
const OWN_KEYWORDS: readonly string[] = ['$id', 'unknownFieldHints'];

/** Returns the schema of an object with the path parameters, the query parameters and the fields of the body of a route. */
export function inputOf({ params, query, body }: Route): TSchema {
  const parts = [params, query, body].filter((part) => part !== undefined);
  return objectSchema(
    Object.assign({}, ...parts.map(propertiesOf)) as Properties,
    parts.flatMap((part) => (part['required'] as readonly string[] | undefined) ?? []),
  );
}

/** Returns the schema of an object with these fields and no others. */
export function objectSchema(properties: Properties, required: readonly string[] = []): TSchema {
  const schema = { type: 'object', properties, required, additionalProperties: false };
  return JSON.parse(JSON.stringify(schema, withoutOwnKeywords)) as TSchema;
}

/** Returns fields of the body of a route. */
export function fieldsOf(schema: TSchema | undefined, ...names: readonly string[]): Properties {
  const all = propertiesOf(schema);
  return Object.fromEntries(names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));
}

function propertiesOf(schema: TSchema | undefined): Properties {
  return (schema?.['properties'] ?? {}) as Properties;
}

/** Agents read all schemas with each conversation: descriptions say enough, and examples would be a sixth of them. */
function withoutOwnKeywords(keyword: string, value: unknown): unknown {
  const isExamples = keyword === 'examples' && Array.isArray(value);
  return isExamples || OWN_KEYWORDS.includes(keyword) ? undefined : value;
}
