import * as api from './api/index.js';
import { isRoute, type HttpMethod, type Route } from './route.js';

/**
 * Routes in the order of documents: by tag, then by path, then by method. `{` sorts after every letter, so a
 * fixed path segment precedes a parameter.
 */
export function inDocumentOrder(routes: readonly Route[]): Route[] {
  return [...routes].sort(
    (a, b) =>
      compareText(a.tag, b.tag) ||
      compareText(a.path, b.path) ||
      METHOD_ORDER[a.method] - METHOD_ORDER[b.method],
  );
}

const METHOD_ORDER: Readonly<Record<HttpMethod, number>> = { GET: 0, POST: 1, PUT: 2, PATCH: 3, DELETE: 4 };

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Every route of the public API: all that the files of `api/` declare. */
export const ROUTES: readonly Route[] = inDocumentOrder(Object.values<unknown>(api).filter(isRoute));
