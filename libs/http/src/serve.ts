import type { RequestListener } from 'node:http';
import type { Metrics } from '@assay/runtime';
import { createAdminApp } from './admin-app.js';
import { createApp, type AppOptions } from './create-app.js';
import type { HealthOptions } from './health.js';
import { listen, type Listening } from './listen.js';

export interface ServeOptions extends Omit<AppOptions, 'health' | 'metrics'> {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly adminPort: number;
  readonly metrics: Metrics;
  /** What stands before the API, such as an interface for the other services. */
  readonly wrap?: (api: RequestListener) => RequestListener;
  /** What must work for the process to serve, by name. */
  readonly checks: NonNullable<HealthOptions['checks']>;
}

/** The API and the admin port of one process. */
export interface Serving {
  readonly baseUrl: string;
  readonly adminUrl: string;
  /** Becomes unready, answers what is under way, then closes both; connections that stay are cut after `graceMs`. Idempotent. */
  close(graceMs: number): Promise<void>;
}

/** Listens on both ports. Rejects with Node's error when an address cannot be had. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { host, port, adminPort, metrics, checks, wrap = (listener) => listener } = options;
  // Probes may come before the server has told that it listens.
  const started: { api?: Listening } = {};
  const health: HealthOptions = { checks, isDraining: () => started.api?.isDraining ?? false };
  const api = await listen({ host, port, listener: wrap(createApp({ ...options, health })) });
  started.api = api;
  const admin = await listenOrClose(api, {
    host,
    port: adminPort,
    listener: createAdminApp({ metrics, health }),
  });
  return {
    baseUrl: url(host, api.port),
    adminUrl: url(host, admin.port),
    close: async (graceMs) => {
      await api.close(graceMs);
      await admin.close(0);
    },
  };
}

async function listenOrClose(api: Listening, options: Parameters<typeof listen>[0]): Promise<Listening> {
  try {
    return await listen(options);
  } catch (error) {
    await api.close(0);
    throw error;
  }
}

function url(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
