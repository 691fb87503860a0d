import type { Route } from '@assay/contracts';
import { sampleRequest } from '../conformance/sample-request.js';

interface Described {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Described[];
}

/** A body of at most 10 MB; `name` says what is large in it. */
export interface WorstBody {
  readonly name: string;
  readonly body: string;
}

const MAX_BYTES = 10_000_000;
/** The most keys that one object of a body may have are 100,000. */
const KEYS = 99_000;
/** Below the most values of a body, which are 2,000,000. */
const VALUES = 1_900_000;
/** Below the maximum depth of a body, wherever they are. */
const DEPTH = 50;
const TEXTS = 1_000;

const list = (item: string, count: number) =>
  `[${Array(Math.max(1, Math.min(count, Math.floor((MAX_BYTES * 0.95) / (item.length + 1)))))
    .fill(item)
    .join()}]`;
const keys = (count: number, value: string) =>
  `{${Array.from({ length: count }, (_, n) => `"key${n}":${value}`).join()}}`;
const text = (part: string, length: number) => `"${part.repeat(length / part.length)}"`;
const filter = (fields: object) => JSON.stringify({ field: 'inputs.t', type: 'string', ...fields });
const texts = (length: number) => Array.from({ length: TEXTS }, (_, n) => `${n} `.padEnd(length, 'x'));

/** Values in JSON that are as much work as values can be. */
const WIDE = { 'an object with 99,000 keys': keys(KEYS, text('x', 80)) };
const DEEP = { 'deep objects': `${'{"n":'.repeat(DEPTH)}${keys(90_000, 'null')}${'}'.repeat(DEPTH)}` };
const NUMBERS = { 'a list of numbers': list('1', VALUES) };
const OBJECTS = { 'a list of objects': list('{"a":"b"}', 600_000) };
const LONG_TEXT = { 'a long text': text('é\\"', MAX_BYTES / 2 - 2_000) };
const FILTERS = {
  'a filter with a list of 1 MB': `[${filter({ operator: 'in', value: texts(990) })}]`,
  'filters with lists of 9 MB': list(filter({ operator: 'in', value: texts(990) }), 9),
  'many filters with long texts': list(filter({ operator: 'contains', value: 'x'.repeat(65_000) }), 50),
  'many filters': list(filter({ operator: 'not contains', value: 'x' }), 100_000),
};
type Values = Readonly<Record<string, string>>;

/** Returns bodies of a route that have the worst values in each of their fields, and as the whole. */
export function worstBodies(route: Route, ids: Readonly<Record<string, string>>): WorstBody[] {
  const schema = (route.body ?? {}) as Described;
  const sample = sampleRequest(route, route.path, ids).body ?? {};
  const whole = Object.entries({ ...WIDE, ...DEEP, ...NUMBERS }).map(([name, body]) => ({ name, body }));
  const inFields = Object.entries(schema.properties ?? {}).flatMap(([field, described]) =>
    Object.entries(valuesFor(field, described)).map(([name, value]) => ({
      name: `${name} in ${field}`,
      body: withField(sample, field, value),
    })),
  );
  return [...whole, ...inFields];
}

function withField(sample: object, field: string, value: string): string {
  const { [field]: _, ...others } = sample as Record<string, unknown>;
  const rest = JSON.stringify(others).slice(1, -1);
  return `{${rest}${rest === '' ? '' : ','}${JSON.stringify(field)}:${value}}`;
}

function valuesFor(field: string, schema: Described): Values {
  const types = [schema, ...(schema.anyOf ?? [])].map(({ type }) => type);
  const isUnknown = types.every((type) => type === undefined);
  const items = schema.items ?? schema.anyOf?.find((one) => one.items)?.items;
  return {
    ...(isUnknown || types.includes('object') ? WIDE : {}),
    ...(isUnknown || types.includes('array') ? OBJECTS : {}),
    ...(items ? { 'many items': list(JSON.stringify(exampleOf(items)), 100_000) } : {}),
    ...(types.includes('string') ? LONG_TEXT : {}),
    ...(field.toLowerCase().includes('filter') ? FILTERS : {}),
    ...(field === 'event' || field === 'metric' || field === 'content' ? nestedIn(schema) : {}),
  };
}

/** Objects with a large value in one of their fields. */
function nestedIn(schema: Described): Values {
  const { properties = {} } = [schema, ...(schema.anyOf ?? [])].find((one) => one.properties) ?? {};
  const sample = exampleOf({ properties }) as object;
  const entries = Object.entries(properties).flatMap(([field, { type }]) =>
    Object.entries(type === 'string' ? LONG_TEXT : WIDE).map(
      ([name, value]) => [`${name} in its ${field}`, withField(sample, field, value)] as const,
    ),
  );
  return Object.fromEntries(entries);
}

function exampleOf(schema: Described): unknown {
  if (schema.examples?.length) return schema.examples[0];
  if (schema.items) return [exampleOf(schema.items)];
  const entries = Object.entries(schema.properties ?? {});
  if (entries.length === 0) return 'x';
  return Object.fromEntries(entries.map(([name, property]) => [name, exampleOf(property)]));
}
