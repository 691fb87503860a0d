import type { Route } from '@assay/contracts';

/** The day from which the routes with a successor count as deprecated: 1 June 2026, as RFC 9745 writes it. */
const DEPRECATED_SINCE = '@1780272000';
/** What an id may consist of to stand in a header and in a path as it is. */
const PLAIN_ID = /^[\w.~-]{1,200}$/;

/** Headers for one answer. `said` are the objects in which the request names things: its path, its query, its body. */
export type DeprecationHeaders = (said: readonly unknown[]) => Readonly<Record<string, string>>;

/**
 * The headers that tell a client of a deprecated route what to call instead (RFC 9745). `Link` is an address to call (RFC 8288): the ids in it are
 * those of the request. Where the request does not name them, the path goes as a template into `Link-Template` (RFC 9652).
 */
export function makeDeprecationHeaders(routes: readonly Route[]): (route: Route) => DeprecationHeaders {
  const paths = new Map(routes.map((route) => [route.operation, route.path]));
  return function deprecationHeaders(route) {
    const { successor } = route;
    if (successor === undefined) return () => ({});
    const path = paths.get(successor);
    return (said) => ({
      Deprecation: DEPRECATED_SINCE,
      ...(path === undefined ? {} : successorLink(path, said)),
    });
  };
}

function successorLink(path: string, said: readonly unknown[]): Record<string, string> {
  const link = path.replace(
    /\{(\w+)\}/g,
    (place, name: string) => idOf(name, said) ?? idOf('id', said) ?? place,
  );
  const relation = 'rel="successor-version"';
  return link.includes('{')
    ? { 'Link-Template': `"${path}"; ${relation}` }
    : { Link: `<${link}>; ${relation}` };
}

function idOf(name: string, said: readonly unknown[]): string | undefined {
  for (const object of said) {
    const value: unknown = isRecord(object) && Object.hasOwn(object, name) ? object[name] : undefined;
    if (typeof value === 'string' && PLAIN_ID.test(value)) return value;
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
