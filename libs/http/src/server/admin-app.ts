import type { RequestListener } from 'node:http';
import express, { type Response } from 'express';
import { notFound } from '@assay/errors';
import type { Metrics } from '@assay/runtime';
import { errorResponse } from '../response/error-response.js';
import { JSON_TYPE, type WireResponse } from '../response/response.js';
import { send } from '../response/send.js';
import { readiness, type HealthOptions } from './health.js';

/** What operators and probes read: `/metrics` for Prometheus, `/healthz`, `/readyz`. No key is asked for: keep the port inside. */
export function createAdminApp(options: { metrics: Metrics; health: HealthOptions }): RequestListener {
  const { metrics, health } = options;
  const app = express();
  app.disable('x-powered-by').disable('etag');
  const answer = (path: string, make: () => Promise<WireResponse>) =>
    app.get(path, async (request, response: Response) => send(request, response, await make()));
  answer('/metrics', async () => ({
    status: 200,
    contentType: metrics.contentType,
    body: await metrics.text(),
  }));
  answer('/healthz', () => Promise.resolve({ status: 200, contentType: JSON_TYPE, body: '{"status":"ok"}' }));
  answer('/readyz', () => readiness(health));
  app.use((request, response) => send(request, response, errorResponse(notFound('there is no such route'))));
  return app;
}
