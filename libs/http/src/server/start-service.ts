import { isIPv4 } from 'node:net';
import {
  createLogger,
  createMetrics,
  listenerTls,
  startWithRetry,
  TemporaryLogLevel,
  type ConfigOf,
  type Logger,
  type Metrics,
  type RunningService,
  type ShutdownStack,
  type TlsFiles,
  type bodySettings,
  type browserSettings,
  type grpcSettings,
  type processSettings,
  type proxySettings,
} from '@assay/runtime';
import { openTelemetry, type Tracing } from '@assay/telemetry';
import { firstLink } from '../console/first-link.js';
import { ByteBudget } from '../scheduling/byte-budget.js';
import { productVersion, VERSION } from './product-version.js';
import { serve, type ServeOptions } from './serve.js';

type ServiceConfig = ConfigOf<typeof processSettings & typeof bodySettings> &
  Partial<ConfigOf<typeof browserSettings & typeof proxySettings & typeof grpcSettings>>;

export interface ServiceOptions<Config extends ServiceConfig> {
  /** Name in the log, such as `data-plane`. */
  readonly name: string;
  /** Name in the line that reports the address; `name` by default. */
  readonly title?: string;
  readonly config: Config;
  /** Writes a line for a person to standard output. */
  readonly print: (line: string) => void;
  /** How long pending requests may take after the shutdown signal, in milliseconds. */
  readonly drainMs?: number;
  /** Maximum time from the shutdown signal to the exit of the process, in milliseconds. */
  readonly closeWithinMs?: number;
}

/** What a service uses to open its parts. */
export interface ServiceContext {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Register every opened part here. */
  readonly shutdown: ShutdownStack;
  /** Absent when this process traces nothing. */
  readonly tracing?: Tracing | undefined;
  /** Files of TLS on the ports for clients; absent when these ports speak plain HTTP. */
  readonly tls?: TlsFiles;
}

type FromConfig =
  | 'host'
  | 'port'
  | 'adminHost'
  | 'adminPort'
  | 'grpcPort'
  | 'scheduler'
  | 'tls'
  | 'adminTls'
  | 'allowedOrigins'
  | 'trustedProxies'
  | 'maxConnectionsPerAddress'
  | 'budget'
  | 'tracing';

/** The API of a service, once its parts are open. */
export interface ServiceApi extends Omit<
  ServeOptions,
  FromConfig | 'openApi' | 'logger' | 'metrics' | 'service' | 'product' | 'logLevel'
> {
  /** Serves `/openapi.json`. */
  readonly servesOpenApi?: boolean;
  /** Prints lines for a person. Called once the process listens. */
  readonly announce?: (print: (line: string) => void) => Promise<void>;
}

const DRAIN_MS = 15_000;
const CLOSE_WITHIN_MS = 30_000;

/**
 * Starts a process: log, metrics, the parts that `open` opens, then the API and the admin port. Retries while a dependency is
 * unavailable.
 */
export function startService<Config extends ServiceConfig>(
  options: ServiceOptions<Config>,
  open: (context: ServiceContext) => Promise<ServiceApi>,
): Promise<RunningService> {
  const { name, title = name, config, print, drainMs = DRAIN_MS, closeWithinMs = CLOSE_WITHIN_MS } = options;
  const logger = createLogger({ level: config.logLevel, format: config.logFormat, service: name });
  const logLevel = new TemporaryLogLevel(logger);
  const product = productVersion();
  const { tls, adminTls } = tlsOf(config, logger);
  return startWithRetry({ logger, closeWithinMs }, async (shutdown) => {
    const metrics = createMetrics({ processMetrics: true });
    const tracing = await openTracing({ ...options, logger }, metrics, shutdown);
    const { servesOpenApi, announce, ...api } = await open({ logger, metrics, shutdown, tls, tracing });
    const servers = await serve({
      ...api,
      service: name,
      product,
      logLevel,
      host: config.host,
      port: config.port,
      adminHost: config.adminHost,
      adminPort: config.adminPort,
      grpcPort: config.otlpGrpcPort === 0 ? undefined : config.otlpGrpcPort,
      tls,
      adminTls,
      allowedOrigins: config.allowedOrigins,
      trustedProxies: config.trustedProxies,
      maxConnectionsPerAddress: config.maxConnectionsPerAddress,
      budget: new ByteBudget({ maxBytes: config.maxBodyBytesInFlight }),
      openApi: servesOpenApi ? { version: VERSION } : undefined,
      logger,
      metrics,
      tracing,
    });
    if (!isLoopback(config.adminHost))
      logger.warn('the admin port is public and requires no key', { host: config.adminHost });
    shutdown.add('server', servers, (running) => running.close(drainMs));
    await announce?.(print);
    const link = api.console && (await firstLink(api.console, servers.baseUrl));
    if (servers.grpcAddress !== undefined) print(`OTLP over gRPC listens on ${servers.grpcAddress}`);
    print(`${title} started in ${process.uptime().toFixed(1)} s`);
    print(`${title} listens on ${servers.baseUrl} (admin ${servers.adminUrl})`);
    if (link !== undefined) print(`Open the console, once and within 10 minutes: ${link}`);
  });
}

/** Opens before everything that is traced, and so closes after it. */
async function openTracing(
  {
    name: service,
    config,
    logger,
  }: Pick<ServiceOptions<ServiceConfig>, 'name' | 'config'> & { readonly logger: Logger },
  metrics: Metrics,
  shutdown: ShutdownStack,
): Promise<Tracing | undefined> {
  const telemetry = await openTelemetry({ config, service, version: VERSION, logger, metrics });
  if (telemetry === undefined) return undefined;
  return shutdown.add('telemetry', telemetry, (open) => open.close()).tracing;
}

function tlsOf(config: ServiceConfig, logger: Logger) {
  const { tlsClientCaFile: ca, tlsCertFile: cert, tlsKeyFile: key } = config;
  const admin = {
    ca: config.adminTlsClientCaFile,
    cert: config.adminTlsCertFile,
    key: config.adminTlsKeyFile,
  };
  return { tls: listenerTls({ ca, cert, key }, logger), adminTls: listenerTls(admin, logger) };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
