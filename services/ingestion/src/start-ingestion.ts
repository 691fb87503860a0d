import { createAuthenticator, createHttpControlPlane } from '@assay/control-plane-client';
import { openKafkaEventLog } from '@assay/event-log';
import { startService, type ServiceApi, type ServiceContext } from '@assay/http';
import { kafkaOptions, watchDiskReserve, type ConfigOf, type RunningService } from '@assay/runtime';
import { composeIngestion } from './compose.js';
import type { ingestionSettings } from './config.js';
import { readPriceTable } from './traces/read-price-table.js';

const KEY_CHECK_TIMEOUT_MS = 3_000;

type IngestionConfig = ConfigOf<typeof ingestionSettings>;

/** Runs ingestion as a separate process, on Kafka. */
export function startIngestion(
  config: IngestionConfig,
  print: (line: string) => void,
): Promise<RunningService> {
  return startService({ name: 'ingestion', config, print }, (context) => openIngestion(config, context));
}

async function openIngestion(
  config: IngestionConfig,
  { logger, metrics, shutdown }: ServiceContext,
): Promise<ServiceApi> {
  const prices = readPriceTable(config.priceTableFile);
  // Ingestion only appends: it has no consumer that could crash.
  const onCrash = () => undefined;
  const log = shutdown.add(
    'event log',
    await openKafkaEventLog({ ...kafkaOptions(config), clientId: 'assay-ingestion', logger, onCrash }),
    (open) => open.close(),
  );
  const controlPlane = createHttpControlPlane({
    url: config.controlPlaneUrl,
    token: config.controlPlaneToken,
    projectIds: config.projectIds,
    timeoutMs: KEY_CHECK_TIMEOUT_MS,
  });
  const reserve = shutdown.add(
    'disk reserve',
    await watchDiskReserve({ dir: config.dataDir, minFreeBytes: config.minFreeDisk, logger, metrics }),
    (watch) => watch.close(),
  );
  const warn = (phrase: string) => logger.warn(phrase);
  const authenticator = createAuthenticator({
    controlPlane,
    snapshotDir: config.dataDir,
    mayWriteSnapshot: () => !reserve.isExhausted,
    now: () => new Date(),
    warn,
  });
  shutdown.add('key snapshot', authenticator, (open) => open.close());
  return {
    bindings: composeIngestion({ log, controlPlane, now: Date.now, prices, warn }).routes,
    authenticator,
    internalToken: config.ingestionToken ?? config.controlPlaneToken,
    checks: { log: () => log.check() },
  };
}
