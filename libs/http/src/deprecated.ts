import type { Route } from '@assay/contracts';

/** The day from which the routes with a successor count as deprecated: 1 June 2026, as RFC 9745 writes it. */
const DEPRECATED_SINCE = '@1780272000';

/** The headers that tell a client of a deprecated route what to call instead (RFC 9745, RFC 8288). */
export function makeDeprecationHeaders(routes: readonly Route[]): (route: Route) => Readonly<Record<string, string>> {
  const paths = new Map(routes.map((route) => [route.operation, route.path]));
  return function deprecationHeaders(route) {
    if (route.successor === undefined) return {};
    const path = paths.get(route.successor);
    const link = path === undefined ? {} : { Link: `<${path}>; rel="successor-version"` };
    return { Deprecation: DEPRECATED_SINCE, ...link };
  };
}
