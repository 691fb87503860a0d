import { ROUTES, compile, errorBody, type Route } from '@assay/contracts';
import type { ApiResponse } from './response.js';

const checkError = compile(errorBody);
const served = ROUTES.flatMap((route) =>
  [route.path, ...(route.aliases ?? [])].map((path) => ({
    route,
    path,
    pattern: patternOf(path),
    check: compile(route.response, 'response'),
  })),
);

/**
 * Validates a JSON response against the catalogue: 200 against the route's schema, errors against the error body.
 * @throws when it is not valid
 */
export function checkResponse(method: string, path: string, response: ApiResponse): void {
  if (response.headers.get('content-type') !== 'application/json') return;
  if (response.status >= 400)
    return path.startsWith('/readyz') ? undefined : void checkError(response.json());
  if (response.status === 200) routeOf(method, path)?.check(response.json());
}

function routeOf(
  method: string,
  path: string,
): { route: Route; check: (value: unknown) => unknown } | undefined {
  const [bare = path] = path.split('?');
  const matching = served.filter(({ route, pattern }) => route.method === method && pattern.test(bare));
  return matching.find((one) => one.path === bare) ?? matching[0];
}

/** `/v1/events/{event_id}` as a pattern of whole paths. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}
