import type { RequestListener } from 'node:http';
import { StartError, systemErrorCode, type Metrics } from '@assay/runtime';
import { makeBearerAuth } from '../auth/bearer-auth.js';
import { callMetrics } from '../grpc/call-metrics.js';
import { listenGrpc, type ListeningGrpc, type SessionCalls } from '../grpc/listen-grpc.js';
import { toPlainAddress, trustedProxyCheck, type IsTrustedProxy } from '../request/client-address.js';
import { FairScheduler } from '../scheduling/fair-scheduler.js';
import { createAdminApp } from './admin-app.js';
import { connectionMetrics } from './connection-metrics.js';
import { Connections, type ConnectionLimits } from './connections.js';
import { createApp, type AppOptions } from './create-app.js';
import type { HealthChecks, HealthOptions } from './health.js';
import { listen, MAX_CONNECTIONS, type ListeningServer, type ListenOptions } from './listen.js';

export interface ServeOptions extends Omit<AppOptions, 'health' | 'metrics'> {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The loopback address when absent. */
  readonly adminHost?: string;
  readonly adminPort: number;
  /** Port of OTLP over gRPC, on `host`; 0: any free port. It is not served when absent. */
  readonly grpcPort?: number;
  /** Maximum of open connections from one address that is no trusted proxy; no limit when absent. */
  readonly maxConnectionsPerAddress?: number;
  readonly metrics: Metrics;
  /** Wraps the listener of the API, for example with an internal API. */
  readonly wrap?: (api: RequestListener) => RequestListener;
  /** Readiness checks by name. */
  readonly checks: HealthChecks;
  /** Liveness checks by name; they fail when only a restart helps. */
  readonly liveness?: HealthChecks;
}

/** The running API and admin servers of one process. */
export interface RunningServers {
  readonly baseUrl: string;
  readonly adminUrl: string;
  /** `host:port` of OTLP over gRPC; undefined when it is off. */
  readonly grpcAddress: string | undefined;
  /** Reports not ready, completes pending requests, then closes all servers. Remaining connections are closed after `graceMs`. Idempotent. */
  close(graceMs: number): Promise<void>;
}

/** Listens on all ports. Throws StartError when an address is not available. */
export async function serve(options: ServeOptions): Promise<RunningServers> {
  const {
    host,
    port,
    adminHost = '127.0.0.1',
    adminPort,
    metrics,
    checks,
    liveness,
    wrap = (listener) => listener,
  } = options;
  const isTrustedProxy = trustedProxyCheck(options.trustedProxies ?? []);
  const scheduler = options.scheduler ?? new FairScheduler();
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
    listener: wrap(createApp({ ...options, scheduler, health })),
    limits,
    metrics,
  });
  started.api = api;
  const grpc = await closingOnFailure([api], () =>
    openGrpc({ ...options, scheduler }, limits, isTrustedProxy),
  );
  const opened = grpc ? [api, grpc] : [api];
  const admin = await closingOnFailure(opened, () =>
    listenOrExplain({
      host: adminHost,
      port: adminPort,
      listener: createAdminApp({ metrics, health }),
    }),
  );
  return {
    baseUrl: `http://${address(host, api.port)}`,
    adminUrl: `http://${address(adminHost, admin.port)}`,
    grpcAddress: grpc && address(host, grpc.port),
    close: async (graceMs) => {
      await Promise.all(opened.map((server) => server.close(graceMs)));
      await admin.close(0);
    },
  };
}

type Closable = Pick<ListeningServer, 'close'>;

/** Opens the next server, and closes those before it when that fails. */
async function closingOnFailure<T>(opened: readonly Closable[], open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await Promise.all(opened.map((server) => server.close(0)));
    throw error;
  }
}

async function openGrpc(
  options: ServeOptions & { readonly scheduler: FairScheduler },
  limits: Partial<ConnectionLimits>,
  isTrustedProxy: IsTrustedProxy,
): Promise<ListeningGrpc | undefined> {
  const { host, grpcPort, bindings, metrics, budget, scheduler, maxBodyBytes, logger } = options;
  if (grpcPort === undefined) return undefined;
  const measured = connectionMetrics(metrics, 'grpc');
  const connections = new Connections<SessionCalls>(
    { maxConnections: MAX_CONNECTIONS, ...limits },
    measured.closed,
  );
  measured.observe(() => connections.counts());
  const authenticate = makeBearerAuth(options);
  const deps = { authenticate, budget, scheduler, maxBodyBytes, isTrustedProxy, logger };
  return explained(
    { host, port: grpcPort, advice: '; ASSAY_OTLP_GRPC_PORT names another one, or 0 for no OTLP over gRPC' },
    () =>
      listenGrpc({
        host,
        port: grpcPort,
        bindings,
        connections,
        deps: { ...deps, metrics: callMetrics(metrics, budget) },
      }),
  );
}

function address(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function listenOrExplain(options: ListenOptions): Promise<ListeningServer> {
  return explained(options, () => listen(options));
}

interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** End of the message, for a port that is in use. */
  readonly advice?: string;
}

/** @throws StartError when the address is not available */
async function explained<T>({ host, port, advice = '' }: ListenAddress, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    const reason = LISTEN_FAILURES[systemErrorCode(cause) ?? ''] ?? String(cause);
    throw new StartError(`cannot listen on ${host}:${port}, ${reason}${advice}`, { cause });
  }
}

const LISTEN_FAILURES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is already in use',
  EACCES: 'the port is reserved for the administrator of this machine',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'this machine does not have the address',
};
