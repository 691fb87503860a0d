import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler, Express, Request, Response } from 'express';
import type { Route } from '@assay/contracts';
import { AppError, notFound, validationError } from '@assay/errors';
import type { Logger } from '@assay/runtime';
import { requestIdOf } from '../request/request-context.js';
import { errorResponse, toAppError } from '../response/error-response.js';
import { JSON_TYPE, type WireResponse } from '../response/response.js';
import { send } from '../response/send.js';
import type { Binding } from '../routing/bind.js';
import { expressPath, literalFirst, pathsOf } from './paths.js';
import { isUnknownWord } from './word-paths.js';

/**
 * Responds to requests that match no binding: 405 with `Allow` for another method of a known path, the same list for
 * `OPTIONS`, and 404 for everything else.
 */
export function addFallbacks(app: Express, bindings: readonly Binding[], logger: Logger | undefined): void {
  for (const [path, { route, methods }] of methodsByPath(bindings)) {
    const headers = { Allow: methods.join(', ') };
    // `app.all` would add a layer for each method of HTTP.
    app.route(expressPath(path)).all((request, response, next) => {
      if (isUnknownWord(route, path, request.params)) return next();
      if (request.method === 'OPTIONS')
        return respond(request, response, { status: 204, contentType: JSON_TYPE, body: '', headers });
      const error = new AppError('METHOD_NOT_ALLOWED', `this route takes ${headers.Allow}`);
      reject(request, response, error, headers);
    });
  }
  app.use((request: Request, response: Response) =>
    reject(request, response, notFound('there is no such route')),
  );
  app.use(expressErrorHandler(logger));
}

/** Sends a response with the id of the request, like every response of a route. */
export function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { headers, ...rest }: WireResponse,
): void {
  send(request, response, { ...rest, headers: { 'X-Request-Id': requestIdOf(request.headers), ...headers } });
}

/** Methods that are bound to a path, with one of its routes. */
interface BoundPath {
  readonly route: Route;
  readonly methods: readonly string[];
}

function methodsByPath(bindings: readonly Binding[]): [path: string, bound: BoundPath][] {
  const bound = new Map<string, BoundPath>();
  for (const binding of bindings) {
    const { route } = binding;
    for (const path of pathsOf(binding))
      bound.set(path, { route, methods: [...(bound.get(path)?.methods ?? []), route.method] });
  }
  return [...bound].sort(([left], [right]) => literalFirst(left, right));
}

function reject(
  request: IncomingMessage,
  response: ServerResponse,
  error: AppError,
  headers: WireResponse['headers'] = {},
): void {
  const rejection = errorResponse(error, { requestId: requestIdOf(request.headers) });
  respond(request, response, { ...rejection, headers: { ...rejection.headers, ...headers } });
}

/** Handles errors of Express itself, such as a path with invalid percent-encoding. */
function expressErrorHandler(logger: Logger | undefined): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    if (error instanceof URIError)
      return reject(
        request,
        response,
        validationError('path is not valid percent-encoded UTF-8', { cause: error }),
      );
    const failure = toAppError(error);
    const requestId = requestIdOf(request.headers);
    logger?.error('request failed', { requestId, code: failure.code }, failure.cause ?? failure);
    respond(request, response, errorResponse(failure, { requestId }));
  };
}
