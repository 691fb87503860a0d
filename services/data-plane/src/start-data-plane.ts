import { ROUTES } from '@assay/contracts';
import { createAuthenticator, createHttpControlPlane } from '@assay/control-plane-client';
import { openKafkaEventLog, type EventLog } from '@assay/event-log';
import { createClickHouseEventStore } from '@assay/event-store';
import { ByteBudget, createProxy, serve, type Binding } from '@assay/http';
import {
  startWithRetry,
  type ShutdownStack,
  createLogger,
  createMetrics,
  kafkaOptions,
  type ConfigOf,
  type Logger,
  type RunOptions,
  type Running,
} from '@assay/runtime';
import { composeDataPlane } from './compose.js';
import type { dataPlaneSettings } from './config.js';
import { redactionFromConfig } from './forwarding/redaction-from-config.js';
import { makeWarnOfUnauthorisedProjects } from './forwarding/warn-of-unauthorised-projects.js';

type DataPlaneConfig = ConfigOf<typeof dataPlaneSettings>;

const CLOSE_WITHIN_MS = 30_000;
const DRAIN_MS = 15_000;
const KEY_CHECK_MS = 3_000;
const VERSION = '0.1.0';

/**
 * Runs the data plane as its own process, on Kafka and ClickHouse. It serves every route: its own directly,
 * all others through a proxy.
 */
export function startDataPlane(
  config: DataPlaneConfig,
  print: (line: string) => void,
): Promise<Running & RunOptions> {
  const logger = createLogger({ level: config.logLevel, service: 'data-plane' });
  return startWithRetry({ logger, closeWithinMs: CLOSE_WITHIN_MS }, (closing) =>
    start(config, closing, logger, print),
  );
}

async function start(
  config: DataPlaneConfig,
  closing: ShutdownStack,
  logger: Logger,
  print: (line: string) => void,
): Promise<void> {
  const metrics = createMetrics({ processMetrics: true });
  const redaction = redactionFromConfig(config);
  const log = closing.add('event log', await openLog(config, logger), (open) => open.close());
  const store = closing.add('event store', openStore(config), (open) => open.close());
  await store.migrate();
  const { controlPlane, authenticator } = connectControlPlane(config, closing, logger);
  const dataPlane = await composeDataPlane({
    log,
    store,
    controlPlane,
    redaction,
    forward: config.forwardEvents ? { retryMaxMs: config.forwardRetryMaxMs } : undefined,
    logger,
    metrics,
    now: Date.now,
    epoch: config.kafkaEpoch,
  });
  closing.add('store reader', dataPlane.storeReader, (reader) => reader.stop());
  closing.add('forward reader', dataPlane.forwardReader, async (reader) => reader?.stop());

  const serving = await serve({
    host: config.host,
    port: config.port,
    adminPort: config.adminPort,
    allowedOrigins: config.allowedOrigins,
    bindings: [...dataPlane.routes, ...proxiedRoutes(config, closing)],
    authenticator,
    adminToken: config.adminToken,
    trustedProxies: config.trustedProxies,
    budget: new ByteBudget({ maxBytes: config.maxBodyBytesInFlight }),
    openApi: { version: VERSION },
    logger,
    metrics,
    checks: { log: () => log.check(), store: () => store.check(), ...dataPlane.checks },
  });
  closing.add('server', serving, (open) => open.close(DRAIN_MS));
  print(`data-plane listens on ${serving.baseUrl} (admin ${serving.adminUrl})`);
}

function connectControlPlane(config: DataPlaneConfig, closing: ShutdownStack, logger: Logger) {
  const controlPlane = createHttpControlPlane({
    url: config.controlPlaneUrl,
    token: config.controlPlaneToken,
    projectIds: config.projectIds,
    timeoutMs: KEY_CHECK_MS,
    onForeignProjects: makeWarnOfUnauthorisedProjects(logger),
  });
  const warn = (phrase: string) => logger.warn(phrase);
  const authenticator = createAuthenticator({
    controlPlane,
    snapshotDir: config.dataDir,
    now: () => new Date(),
    warn,
  });
  closing.add('key snapshot', authenticator, (open) => open.close());
  return { controlPlane, authenticator };
}

function openLog(config: DataPlaneConfig, logger: Logger): Promise<EventLog> {
  // Without its reader the process would look healthy and read nothing. An uncaught error ends it with a
  // clean shutdown.
  const onCrash = (error: Error) => {
    setImmediate(() => {
      throw error;
    });
  };
  return openKafkaEventLog({ ...kafkaOptions(config), clientId: 'assay-data-plane', logger, onCrash });
}

function openStore(config: DataPlaneConfig) {
  return createClickHouseEventStore({
    url: config.clickhouseUrl,
    username: config.clickhouseUsername,
    password: config.clickhousePassword,
    database: config.clickhouseDatabase,
    cluster: config.clickhouseCluster,
  });
}

function proxiedRoutes(config: DataPlaneConfig, closing: ShutdownStack): Binding[] {
  const services = {
    ingestion: {
      baseUrl: config.ingestionUrl,
      internalToken: config.ingestionToken ?? config.controlPlaneToken,
    },
    'control-plane': { baseUrl: config.controlPlaneUrl, internalToken: config.controlPlaneToken },
  } as const;
  return Object.entries(services).flatMap(([owner, target]) => {
    const proxy = createProxy(target);
    closing.add(`connections to ${owner}`, proxy, (open) => Promise.resolve(open.close()));
    return ROUTES.filter((route) => route.owner === owner).map((route) => proxy.bind(route));
  });
}
