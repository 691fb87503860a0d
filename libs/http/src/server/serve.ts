import type { RequestListener } from 'node:http';
import { StartError, systemErrorCode, type Metrics, type TlsFiles } from '@assay/runtime';
import { toPlainAddress, trustedProxyCheck } from '../request/client-address.js';
import { createAdminApp } from './admin-app.js';
import { createApp, type AppOptions } from './create-app.js';
import { makeDiagnose, type Inspections } from './diagnose.js';
import type { HealthChecks, HealthOptions } from './health.js';
import { listen, type ListeningServer, type ListenOptions } from './listen.js';

export interface ServeOptions extends Omit<AppOptions, 'health' | 'metrics'> {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The loopback address when absent. */
  readonly adminHost?: string;
  readonly adminPort: number;
  /** Files of TLS on the API; plain HTTP when absent. */
  readonly tls?: TlsFiles;
  /** Files of TLS on the admin port; plain HTTP when absent. */
  readonly adminTls?: TlsFiles;
  /** Maximum of open connections from one address that is no trusted proxy; no limit when absent. */
  readonly maxConnectionsPerAddress?: number;
  readonly metrics: Metrics;
  /** Wraps the listener of the API, for example with an internal API. */
  readonly wrap?: (api: RequestListener) => RequestListener;
  /** Readiness checks by name. */
  readonly checks: HealthChecks;
  /** Liveness checks by name; they fail when only a restart helps. */
  readonly liveness?: HealthChecks;
  /** What `/doctor` inspects besides the checks. */
  readonly inspections?: Inspections;
  /** Name and version in the response of `/doctor`. */
  readonly service?: string;
  readonly version?: string;
}

/** The running API and admin servers of one process. */
export interface RunningServers {
  readonly baseUrl: string;
  readonly adminUrl: string;
  /** Reports not ready, completes pending requests, then closes both servers. Remaining connections are closed after `graceMs`. Idempotent. */
  close(graceMs: number): Promise<void>;
}

/** Listens on both ports. Throws StartError when an address is not available. */
export async function serve(options: ServeOptions): Promise<RunningServers> {
  const {
    host,
    port,
    adminHost = '127.0.0.1',
    adminPort,
    metrics,
    checks,
    liveness = {},
    inspections = {},
    service = 'assay',
    version = '',
    wrap = (listener) => listener,
  } = options;
  const isTrustedProxy = trustedProxyCheck(options.trustedProxies ?? []);
  const limits = {
    maxPerAddress: options.maxConnectionsPerAddress,
    isExempt: (address: string) => isTrustedProxy(toPlainAddress(address)),
  };
  // Probes may arrive before `listen` has resolved.
  const started: { api?: ListeningServer } = {};
  const health: HealthOptions = { checks, liveness, isDraining: () => started.api?.isDraining ?? false };
  const api = await listenOrExplain({
    host,
    port,
    tls: options.tls,
    listener: wrap(createApp({ ...options, health })),
    limits,
    metrics,
  });
  started.api = api;
  const admin = await listenOrClose(api, {
    host: adminHost,
    port: adminPort,
    tls: options.adminTls,
    listener: createAdminApp({
      metrics,
      health,
      diagnose: makeDiagnose({ service, version, checks, liveness, inspections }),
    }),
  });
  return {
    baseUrl: url(options.tls, host, api.port),
    adminUrl: url(options.adminTls, adminHost, admin.port),
    close: async (graceMs) => {
      await api.close(graceMs);
      await admin.close(0);
    },
  };
}

async function listenOrClose(api: ListeningServer, options: ListenOptions): Promise<ListeningServer> {
  try {
    return await listenOrExplain(options);
  } catch (error) {
    await api.close(0);
    throw error;
  }
}

function url(tls: TlsFiles | undefined, host: string, port: number): string {
  return `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function listenOrExplain(options: ListenOptions): Promise<ListeningServer> {
  try {
    return await listen(options);
  } catch (cause) {
    const reason = LISTEN_FAILURES[systemErrorCode(cause) ?? ''] ?? String(cause);
    throw new StartError(`cannot listen on ${options.host}:${options.port}, ${reason}`, { cause });
  }
}

const LISTEN_FAILURES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is already in use',
  EACCES: 'the port is reserved for the administrator of this machine',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'this machine does not have the address',
};
