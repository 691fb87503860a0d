import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express from 'express';
import { notFound } from '@assay/errors';
import type { Metrics, TemporaryLogLevel } from '@assay/runtime';
import { requestIdOf } from '../request/request-context.js';
import { errorResponse } from '../response/error-response.js';
import { JSON_TYPE, type WireResponse } from '../response/response.js';
import { send } from '../response/send.js';
import type { Diagnosis } from './diagnose.js';
import { createHealth, type HealthOptions } from './health.js';
import { makeLogLevelRoute } from './log-level.js';

export interface AdminOptions {
  readonly metrics: Metrics;
  readonly health: HealthOptions;
  /** Inspects the process and its dependencies. */
  readonly diagnose: () => Promise<Diagnosis>;
  /** Serves `/log-level`. */
  readonly logLevel?: TemporaryLogLevel;
}

type Respond = (request: IncomingMessage, response: ServerResponse) => Promise<WireResponse> | WireResponse;

/**
 * Returns the listener of the admin port: `/metrics` for Prometheus, `/healthz`, `/readyz`, `/doctor`, `/log-level`. It requires no
 * key: do not expose the port.
 */
export function createAdminApp(options: AdminOptions): RequestListener {
  const { metrics } = options;
  const health = createHealth(options.health);
  const app = express();
  app.disable('x-powered-by').disable('etag');
  const serve = (method: 'get' | 'put', path: string, respond: Respond) =>
    app[method](path, async (request, response) => send(request, response, await respond(request, response)));
  serve('get', '/metrics', async () => ({
    status: 200,
    contentType: metrics.contentType,
    body: await metrics.text(),
  }));
  serve('get', '/doctor', async () => {
    const diagnosis = await options.diagnose();
    return { status: 200, contentType: JSON_TYPE, body: JSON.stringify(diagnosis) };
  });
  serve('get', '/healthz', () => health.liveness());
  serve('get', '/readyz', () => health.readiness());
  if (options.logLevel) {
    const route = makeLogLevelRoute(options.logLevel);
    serve('get', '/log-level', () => route.read());
    serve('put', '/log-level', (request, response) => route.change(request, response));
  }
  app.use((request, response) => {
    const requestId = requestIdOf(request.headers);
    send(request, response, errorResponse(notFound('there is no such route'), { requestId }));
  });
  return app;
}
