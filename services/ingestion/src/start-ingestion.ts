import { createAuthenticator, createHttpControlPlane } from '@assay/control-plane-client';
import { openKafkaEventLog } from '@assay/event-log';
import { ByteBudget, serve } from '@assay/http';
import {
  startWithRetry,
  type ShutdownStack,
  type Logger,
  createLogger,
  createMetrics,
  kafkaOptions,
  type ConfigOf,
  type RunOptions,
  type Running,
} from '@assay/runtime';
import { composeIngestion } from './compose.js';
import type { ingestionSettings } from './config.js';
import { readPriceTable } from './traces/read-price-table.js';

const CLOSE_WITHIN_MS = 30_000;
const DRAIN_MS = 15_000;
const KEY_CHECK_MS = 3_000;

type IngestionConfig = ConfigOf<typeof ingestionSettings>;

/** Runs ingestion as its own process, on Kafka. */
export function startIngestion(
  config: IngestionConfig,
  print: (line: string) => void,
): Promise<Running & RunOptions> {
  const logger = createLogger({ level: config.logLevel, service: 'ingestion' });
  return startWithRetry({ logger, closeWithinMs: CLOSE_WITHIN_MS }, (closing) =>
    start(config, closing, logger, print),
  );
}

async function start(
  config: IngestionConfig,
  closing: ShutdownStack,
  logger: Logger,
  print: (line: string) => void,
): Promise<void> {
  const metrics = createMetrics({ processMetrics: true });
  const prices = readPriceTable(config.priceTableFile);
  // Ingestion only appends, so it has no reader that could crash.
  const onCrash = () => undefined;
  const log = closing.add(
    'event log',
    await openKafkaEventLog({ ...kafkaOptions(config), clientId: 'assay-ingestion', logger, onCrash }),
    (open) => open.close(),
  );
  const controlPlane = createHttpControlPlane({
    url: config.controlPlaneUrl,
    token: config.controlPlaneToken,
    projectIds: config.projectIds,
    timeoutMs: KEY_CHECK_MS,
  });
  const warn = (phrase: string) => logger.warn(phrase);
  const authenticator = createAuthenticator({
    controlPlane,
    snapshotDir: config.dataDir,
    now: () => new Date(),
    warn,
  });
  closing.add('key snapshot', authenticator, (open) => open.close());
  const serving = await serve({
    host: config.host,
    port: config.port,
    adminPort: config.adminPort,
    allowedOrigins: config.allowedOrigins,
    bindings: composeIngestion({ log, controlPlane, now: Date.now, prices, warn }).routes,
    authenticator,
    internalToken: config.ingestionToken ?? config.controlPlaneToken,
    budget: new ByteBudget({ maxBytes: config.maxBodyBytesInFlight }),
    logger,
    metrics,
    checks: { log: () => log.check() },
  });
  closing.add('server', serving, (open) => open.close(DRAIN_MS));
  print(`ingestion listens on ${serving.baseUrl} (admin ${serving.adminUrl})`);
}
