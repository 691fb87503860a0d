import type { Route } from '@assay/contracts';

/**
 * A path segment that is written like the name of a route, as in `/v1/events/schema`. It has no digit and no hyphen, so it
 * is no UUID: the rule only decides whether an invalid id is 404 or 400. The registered routes alone cannot decide this,
 * because the names of routes that do not exist are not among them; and a misspelled UUID, which is 400, has digits or
 * hyphens unless it is cut to a few letters. Registered literal paths match before paths with parameters.
 */
const WORD = /^(?:[a-z]{4,}|[a-z]+(?:_[a-z]+)+)$/;

/**
 * Returns whether the last segment of a request's path is a word where the route takes a UUID: the request is
 * for a route that does not exist, not for a resource whose id is misspelled.
 */
export function isUnknownWord(
  { params: schema }: Pick<Route, 'params'>,
  path: string,
  params: Readonly<Record<string, unknown>>,
): boolean {
  const name = /\{(\w+)\}$/.exec(path)?.[1];
  if (name === undefined) return false;
  const value = params[name];
  return formatOf(schema, name) === 'uuid' && typeof value === 'string' && WORD.test(value);
}

function formatOf(schema: Route['params'], name: string): unknown {
  const properties = schema?.properties as Readonly<Record<string, { format?: unknown }>> | undefined;
  return properties?.[name]?.format;
}
