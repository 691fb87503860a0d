import { ROUTES, compile, errorBody, type Route } from '@assay/contracts';
import type { Answer } from './response.js';

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
 * Holds every JSON answer against the schema that the catalogue has for it: 200 against the route's own, refusals against the error body.
 * @throws when it does not fit
 */
export function checkResponse(method: string, path: string, answer: Answer): void {
  if (answer.headers.get('content-type') !== 'application/json') return;
  if (answer.status >= 400) return path.startsWith('/readyz') ? undefined : void checkError(answer.json());
  if (answer.status === 200) routeOf(method, path)?.check(answer.json());
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
