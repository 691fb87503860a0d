import type { Route } from '@assay/contracts';

interface Described {
  readonly properties?: Readonly<Record<string, Described>>;
  readonly required?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly format?: string;
}

/** A request built from the examples in a route's schemas: all path parameters and the required fields of the body. */
export interface SampleRequest {
  readonly path: string;
  readonly body: unknown;
}

/** Builds a request for one of the route's paths; `ids` override examples of path parameters by name. */
export function sampleRequest(
  route: Route,
  path: string,
  ids: Readonly<Record<string, string>> = {},
): SampleRequest {
  const params = route.params as Described | undefined;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(ids[name] ?? String(exampleOf(params?.properties?.[name]))),
  );
  return { path: filled, body: route.body === undefined ? undefined : exampleOf(route.body) };
}

/** Names of the path parameters that are UUIDs. */
export function uuidParams(route: Route): string[] {
  const { properties = {} } = (route.params ?? {}) as Described;
  return Object.entries(properties).flatMap(([name, { format }]) => (format === 'uuid' ? [name] : []));
}

function exampleOf(schema: Described | undefined): unknown {
  if (schema?.examples?.length) return schema.examples[0];
  if (!schema?.properties) return undefined;
  const required = schema.required ?? [];
  return Object.fromEntries(required.map((name) => [name, exampleOf(schema.properties?.[name])]));
}

/** All paths under which a route is served. */
export function pathsOf(route: Route): string[] {
  return [route.path, ...(route.aliases ?? [])];
}
