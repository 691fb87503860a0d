import type { RequestListener } from 'node:http';
import express, { type Response } from 'express';
import { notFound } from '@assay/errors';
import type { Metrics } from '@assay/runtime';
import { errorResponse } from '../response/error-response.js';
import { JSON_TYPE, type WireResponse } from '../response/response.js';
import { send } from '../response/send.js';
import type { Diagnosis } from './diagnose.js';
import { createHealth, type HealthOptions } from './health.js';

export interface AdminOptions {
  readonly metrics: Metrics;
  readonly health: HealthOptions;
  /** Inspects the process and its dependencies. */
  readonly diagnose: () => Promise<Diagnosis>;
}

/**
 * Returns the listener of the admin port: `/metrics` for Prometheus, `/healthz`, `/readyz`, `/doctor`. It requires no key: do not
 * expose the port.
 */
export function createAdminApp(options: AdminOptions): RequestListener {
  const { metrics } = options;
  const health = createHealth(options.health);
  const app = express();
  app.disable('x-powered-by').disable('etag');
  const serve = (path: string, read: () => Promise<WireResponse>) =>
    app.get(path, async (request, response: Response) => send(request, response, await read()));
  serve('/metrics', async () => ({
    status: 200,
    contentType: metrics.contentType,
    body: await metrics.text(),
  }));
  serve('/doctor', async () => {
    const diagnosis = await options.diagnose();
    return { status: 200, contentType: JSON_TYPE, body: JSON.stringify(diagnosis) };
  });
  serve('/healthz', () => health.liveness());
  serve('/readyz', () => health.readiness());
  app.use((request, response) => send(request, response, errorResponse(notFound('there is no such route'))));
  return app;
}
