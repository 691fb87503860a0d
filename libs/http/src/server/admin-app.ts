import type { RequestListener } from 'node:http';
import express, { type Response } from 'express';
import { notFound } from '@assay/errors';
import type { Metrics } from '@assay/runtime';
import { errorResponse } from '../response/error-response.js';
import type { WireResponse } from '../response/response.js';
import { send } from '../response/send.js';
import { createHealth, type HealthOptions } from './health.js';

/** Returns the listener of the admin port: `/metrics` for Prometheus, `/healthz`, `/readyz`. It requires no key: do not expose the port. */
export function createAdminApp(options: { metrics: Metrics; health: HealthOptions }): RequestListener {
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
  serve('/healthz', () => health.liveness());
  serve('/readyz', () => health.readiness());
  app.use((request, response) => send(request, response, errorResponse(notFound('there is no such route'))));
  return app;
}
