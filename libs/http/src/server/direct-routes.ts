import type { IncomingMessage } from 'node:http';
import type { Binding } from '../routing/bind.js';
import type { Handler } from '../routing/handle.js';
import { pathsOf } from './paths.js';

/** A binding with the handler of its requests. */
export interface BoundHandler {
  readonly binding: Binding;
  readonly handler: Handler;
}

/** The handler of a request with its path parameters. */
export interface DirectMatch {
  readonly handler: Handler;
  readonly params: Readonly<Record<string, string>>;
}

interface Target {
  readonly handler: Handler;
  /** Name of the parameter that is the last segment of the path. */
  readonly name: string;
}

/** A path whose only parameter is its last segment. */
const PATH_OF_ID = /^([^{}]*\/)\{(\w+)\}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const UUID_LENGTH = 36;
const NO_PARAMS = {};

/**
 * Returns a function that matches requests that write events, and those of data planes, without Express, which takes half of the
 * CPU of a small request. It matches a URL that is exactly the path of a route, or a path followed by a UUID as its only
 * parameter. A URL with a query, a trailing slash, an escaped character or another id is left to Express, which calls
 * the same handler.
 */
export function makeDirectRoutes(
  handlers: readonly BoundHandler[],
): (request: IncomingMessage) => DirectMatch | undefined {
  const exact = new Map<string, Handler>();
  const byId = new Map<string, Target>();
  for (const { binding, handler } of handlers.filter(isDirect))
    for (const path of pathsOf(binding)) {
      const key = `${binding.route.method} ${path}`;
      const [, prefix, name] = PATH_OF_ID.exec(key) ?? [];
      if (!key.includes('{')) exact.set(key, handler);
      // As in Express, the first one has precedence.
      else if (prefix !== undefined && name !== undefined && !byId.has(prefix))
        byId.set(prefix, { handler, name });
    }
  return function match({ method = '', url = '' }) {
    const handler = exact.get(`${method} ${url}`);
    if (handler) return { handler, params: NO_PARAMS };
    const id = url.slice(-UUID_LENGTH);
    if (!UUID.test(id)) return undefined;
    const target = byId.get(`${method} ${url.slice(0, -UUID_LENGTH)}`);
    if (target === undefined) return undefined;
    // An object literal with a computed name costs several times as much.
    const params: Record<string, string> = {};
    params[target.name] = id;
    return { handler: target.handler, params };
  };
}

function isDirect({ binding: { route } }: BoundHandler): boolean {
  return (route.owner === 'ingestion' && route.method !== 'GET') || route.access === 'data-plane';
}
