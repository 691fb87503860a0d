import type { RequestListener } from 'node:http';
import type { Metrics, TemporaryLogLevel, TlsFiles } from '@assay/runtime';
import { toPlainAddress, trustedProxyCheck, type IsTrustedProxy } from '../request/client-address.js';
import { FairScheduler } from '../scheduling/fair-scheduler.js';
import { createAdminApp } from './admin-app.js';
import { createApp, type AppOptions } from './create-app.js';
import { makeDiagnose, type Inspections } from './diagnose.js';
import { explainListen } from './explain-listen.js';
import type { HealthChecks, HealthOptions } from './health.js';
import { listen, MAX_CONNECTIONS, type ListeningServer, type ListenOptions } from './listen.js';
import { serveGrpc } from './serve-grpc.js';

export interface ServeOptions extends Omit<AppOptions, 'health' | 'metrics'> {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The loopback address when absent. */
  readonly adminHost?: string;
  readonly adminPort: number;
  /** Port of OTLP over gRPC, on `host`; 0: any free port. It is not served when absent. */
  readonly grpcPort?: number;
  /** Files of TLS on the API; plain HTTP when absent. */
  readonly tls?: TlsFiles;
  /** Files of TLS on the admin port; plain HTTP when absent. */
  readonly adminTls?: TlsFiles;
  /** Maximum of open connections from one address that is no trusted proxy; see {@link connectionLimits} when absent. */
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
  /** Name in the response of `/doctor`. */
  readonly service?: string;
  /** Serves `/log-level` on the admin port. */
  readonly logLevel?: TemporaryLogLevel;
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
    liveness = {},
    wrap = (listener) => listener,
  } = options;
  const isTrustedProxy = trustedProxyCheck(options.trustedProxies ?? []);
  const scheduler = options.scheduler ?? new FairScheduler();
  const limits = connectionLimits(options, isTrustedProxy);
  // Probes may arrive before `listen` has resolved.
  const started: { api?: ListeningServer } = {};
  const health: HealthOptions = { checks, liveness, isDraining: () => started.api?.isDraining ?? false };
  const api = await listenOrExplain('ASSAY_PORT', {
    host,
    port,
    tls: options.tls,
    listener: wrap(createApp({ ...options, scheduler, health })),
    limits,
    metrics,
  });
  started.api = api;
  const grpc = await closingOnFailure([api], () =>
    serveGrpc({ ...options, scheduler, limits, isTrustedProxy }),
  );
  const opened = grpc ? [api, grpc] : [api];
  const diagnose = makeDiagnose(diagnoseOptions(options));
  const listener = createAdminApp({ metrics, health, diagnose, logLevel: options.logLevel });
  const admin = await closingOnFailure(opened, () =>
    listenOrExplain('ASSAY_ADMIN_PORT', {
      host: adminHost,
      port: adminPort,
      tls: options.adminTls,
      listener,
    }),
  );
  return {
    baseUrl: url(options.tls, host, api.port),
    adminUrl: url(options.adminTls, adminHost, admin.port),
    grpcAddress: grpc && address(host, grpc.port),
    close: async (graceMs) => {
      await Promise.all(opened.map((server) => server.close(graceMs)));
      await admin.close(0);
    },
  };
}

function diagnoseOptions({
  service = 'assay',
  product,
  checks,
  liveness = {},
  inspections = {},
}: ServeOptions) {
  return { service, version: product?.version ?? '', checks, liveness, inspections };
}

/** Default of a service for clients that trusts no proxy: an address may have half of the connections. */
const DEFAULT_MAX_PER_ADDRESS = MAX_CONNECTIONS / 2;

/**
 * Proxies may open any number of connections. Where proxies are trusted, and in services that other services call alone, an address has no
 * limit by default.
 */
function connectionLimits(options: ServeOptions, isTrustedProxy: IsTrustedProxy) {
  const trustsNone = options.trustedProxies?.length === 0;
  return {
    maxPerAddress: options.maxConnectionsPerAddress ?? (trustsNone ? DEFAULT_MAX_PER_ADDRESS : undefined),
    isExempt: (address: string) => isTrustedProxy(toPlainAddress(address)),
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

function url(tls: TlsFiles | undefined, host: string, port: number): string {
  return `${tls === undefined ? 'http' : 'https'}://${address(host, port)}`;
}

function address(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function listenOrExplain(setting: string, options: ListenOptions): Promise<ListeningServer> {
  return explainListen({ ...options, setting }, () => listen(options));
}
