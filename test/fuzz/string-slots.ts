import type { Route } from '@assay/contracts';
import { sampleRequest } from '../conformance/sample-request.js';

interface Described {
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly examples?: readonly unknown[];
}

/** A request with a text in one of its strings; `where` names it, as in `path.run_id` and `body.filters.0.field`. */
export interface FilledRequest {
  readonly where: string;
  readonly path: string;
  readonly body?: unknown;
}

/** Query parameters that are JSON, with a text wherever their JSON has one. */
const JSON_PARAMETERS: Readonly<Record<string, (text: string) => unknown>> = {
  filters: (text) => [
    { field: `metadata.${text}`, operator: 'is', value: text },
    { field: `inputs.${text}`, operator: 'contains', value: text },
    { field: 'event_name', operator: 'in', value: [text, 'x'] },
    { field: text, operator: 'is not', value: text, type: 'string' },
  ],
  filter: (text) => ({ [`outputs.${text}`]: text, [text]: text }),
  dateRange: (text) => ({ $gte: text }),
};

/**
 * Returns a request of a route for each path parameter, each query parameter, and each value and key of the examples of its
 * body, with `text()` there and everything else valid. `ids` are values of path parameters.
 */
export function fillStrings(
  route: Route,
  text: () => string,
  ids: Readonly<Record<string, string>>,
): FilledRequest[] {
  const { path, body } = sampleRequest(route, route.path, ids);
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const inPath = names.map((name) => {
    const filled = sampleRequest(route, route.path, { ...ids, [name]: text() });
    return { where: `path.${name}`, path: filled.path, body };
  });
  const parameters = Object.keys((route.query as Described | undefined)?.properties ?? {});
  const inQuery = parameters.flatMap((name) => {
    const toJson = JSON_PARAMETERS[name];
    const values = [text(), ...(toJson ? [JSON.stringify(toJson(text()))] : [])];
    return values.map((value) => ({
      where: `query.${name}`,
      path: `${path}?${name}=${encodeURIComponent(value)}`,
      body,
    }));
  });
  return [...inPath, ...inQuery, ...bodiesOf(route, body, text).map((filled) => ({ ...filled, path }))];
}

function bodiesOf(route: Route, sample: unknown, text: () => string): { where: string; body: unknown }[] {
  const { properties = {} } = (route.body ?? {}) as Described;
  return Object.entries(properties).flatMap(([name, schema]) =>
    filled(exampleOf(schema), text).map(({ at, value }) => ({
      where: ['body', name, ...at].join('.'),
      body: { ...(sample as object), [name]: value },
    })),
  );
}

/** All properties of an object, and not only the required ones. */
function exampleOf(schema: Described): unknown {
  if (schema.examples?.length) return schema.examples[0];
  if (schema.items) return [exampleOf(schema.items)];
  const entries = Object.entries(schema.properties ?? {});
  if (entries.length === 0) return 'x';
  return Object.fromEntries(entries.map(([name, property]) => [name, exampleOf(property)]));
}

/** Returns the value once for each of its leaves and keys, with a text in place of that leaf or key. */
function filled(
  value: unknown,
  text: () => string,
  at: readonly string[] = [],
): { at: readonly string[]; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [{ at, value: text() }];
  if (Array.isArray(value)) {
    const items = value as unknown[];
    return items.flatMap((item, index) =>
      filled(item, text, [...at, String(index)]).map((one) => ({
        ...one,
        value: items.with(index, one.value),
      })),
    );
  }
  const entries = Object.entries(value as Record<string, unknown>);
  const renamed = entries.map(([key, inner]) => {
    const { [key]: _, ...others } = value as Record<string, unknown>;
    return { at: [...at, `${key} (key)`], value: { ...others, [text()]: inner } };
  });
  const replaced = entries.flatMap(([key, inner]) =>
    filled(inner, text, [...at, key]).map((one) => ({ ...one, value: { ...value, [key]: one.value } })),
  );
  return [...renamed, ...replaced];
}
