import type { Route } from '@assay/contracts';
import { isJsonObject } from '@assay/domain';

/** Date since which routes with a successor are deprecated: 1 June 2026, in the format of RFC 9745. */
const DEPRECATED_SINCE = '@1780272000';
/** Ids that need no encoding in a header or a path. */
const PLAIN_ID = /^[\w.~-]{1,200}$/;

/** Returns the headers of one response; undefined when its route has no successor. `requestParts` are the path parameters, the query and the body, as far as they were checked. */
export type DeprecationHeaders = (
  requestParts: readonly unknown[],
) => Readonly<Record<string, string>> | undefined;

/**
 * Returns the headers that name the successor of a deprecated route (RFC 9745). `Link` (RFC 8288) holds the path with the
 * ids of the request. When the request does not contain them, `Link-Template` (RFC 9652) holds the path as a template.
 */
export function makeDeprecationHeaders(routes: readonly Route[]): (route: Route) => DeprecationHeaders {
  const paths = new Map(routes.map((route) => [route.operation, route.path]));
  return function deprecationHeaders(route) {
    const { successor } = route;
    if (successor === undefined) return () => undefined;
    const path = paths.get(successor);
    return (requestParts) => ({
      Deprecation: DEPRECATED_SINCE,
      ...(path === undefined ? {} : successorLink(path, requestParts)),
    });
  };
}

function successorLink(path: string, requestParts: readonly unknown[]): Record<string, string> {
  const link = path.replace(
    /\{(\w+)\}/g,
    (parameter, name: string) => findId(name, requestParts) ?? findId('id', requestParts) ?? parameter,
  );
  const relation = 'rel="successor-version"';
  return link.includes('{')
    ? { 'Link-Template': `"${path}"; ${relation}` }
    : { Link: `<${link}>; ${relation}` };
}

function findId(name: string, requestParts: readonly unknown[]): string | undefined {
  for (const part of requestParts) {
    const value: unknown = isJsonObject(part) && Object.hasOwn(part, name) ? part[name] : undefined;
    if (typeof value === 'string' && PLAIN_ID.test(value)) return value;
  }
  return undefined;
}
