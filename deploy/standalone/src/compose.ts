import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { composeControlPlane } from '@assay/control-plane';
import { createAuthenticator } from '@assay/control-plane-client';
import { composeDataPlane, redactionFromConfig } from '@assay/data-plane';
import { openEmbeddedDocumentStore, type DocumentStore } from '@assay/document-store';
import { openEmbeddedEventLog } from '@assay/event-log';
import { createChdbEventStore } from '@assay/event-store';
import { ByteBudget, serve } from '@assay/http';
import { composeIngestion, readPriceTable } from '@assay/ingestion';
import {
  startWithRetry,
  readOrMakeSecret,
  type ShutdownStack,
  createLogger,
  createMetrics,
  type ConfigOf,
  type Logger,
  type RunOptions,
  type Running,
} from '@assay/runtime';
import type { standaloneSettings } from './config.js';

type StandaloneConfig = ConfigOf<typeof standaloneSettings>;

/** Everything in one process must be over within this time of the signal. */
const CLOSE_WITHIN_MS = 10_000;
/** How long requests under way may take once the process ends. */
const DRAIN_MS = 4_000;
const VERSION = '0.1.0';

/** Runs the whole product in this process, on stores in one folder. `print` takes the few lines that are meant for a person. */
export function composeStandalone(
  config: StandaloneConfig,
  print: (line: string) => void,
): Promise<Running & RunOptions> {
  const logger = createLogger({ level: config.logLevel, service: 'standalone' });
  return startWithRetry({ logger, closeWithinMs: CLOSE_WITHIN_MS }, (closing) =>
    start(config, closing, logger, print),
  );
}

async function start(
  config: StandaloneConfig,
  closing: ShutdownStack,
  logger: Logger,
  print: (line: string) => void,
): Promise<void> {
  const now = () => Date.now();
  const dir = folders(config.dataDir);
  const metrics = createMetrics({ processMetrics: true });
  const redaction = redactionFromConfig(config);
  const prices = readPriceTable(config.priceTableFile);
  const adminToken = config.adminToken ?? readOrMakeSecret(dir.adminToken);

  const documents = closing.add(
    'document store',
    await openEmbeddedDocumentStore({ dir: dir.documents }),
    (store) => store.close(),
  );
  const retention = { maxAgeMs: config.retentionHours * 3_600_000 };
  const log = closing.add(
    'event log',
    await openEmbeddedEventLog({ dir: dir.log, logger, retention }),
    (open) => open.close(),
  );
  const store = closing.add('event store', createChdbEventStore({ dir: dir.events }), (open) => open.close());
  await store.migrate();

  const { control, authenticator, firstKey } = await openControlPlane({
    config,
    documents,
    closing,
    logger,
    dir,
  });
  const dataPlane = await composeDataPlane({
    log,
    store,
    controlPlane: control.controlPlane,
    redaction,
    forward: config.forwardEvents ? { retryMaxMs: config.forwardRetryMaxMs } : undefined,
    logger,
    metrics,
    now,
    epoch: 0,
  });
  closing.add('store reader', dataPlane.storeReader, (reader) => reader.stop());
  closing.add('forward reader', dataPlane.forwardReader, async (reader) => reader?.stop());
  const ingestion = composeIngestion({
    log,
    controlPlane: control.controlPlane,
    now,
    prices,
    warn: (phrase) => logger.warn(phrase),
  });

  const serving = await serve({
    host: config.host,
    port: config.port,
    adminPort: config.adminPort,
    allowedOrigins: config.allowedOrigins,
    bindings: [...ingestion.routes, ...dataPlane.routes, ...control.routes],
    authenticator,
    adminToken,
    trustedProxies: config.trustedProxies,
    budget: new ByteBudget({ maxBytes: config.maxBodyBytesInFlight }),
    openApi: { version: VERSION },
    logger,
    metrics,
    checks: {
      log: () => log.check(),
      store: () => store.check(),
      documents: () => documents.check(),
      ...dataPlane.checks,
    },
  });
  closing.add('server', serving, (open) => open.close(DRAIN_MS));
  if (firstKey) print(`The key of project "${config.project}", shown this once:\n\n  ${firstKey}\n`);
  print(`Assay listens on ${serving.baseUrl} (admin ${serving.adminUrl})`);
}

interface ControlPlaneParts {
  readonly config: StandaloneConfig;
  readonly documents: DocumentStore;
  readonly closing: ShutdownStack;
  readonly logger: Logger;
  readonly dir: ReturnType<typeof folders>;
}

/** The control plane with its first project, and what remembers its keys. */
async function openControlPlane({ config, documents, closing, logger, dir }: ControlPlaneParts) {
  const now = () => new Date();
  const control = await composeControlPlane({
    documents,
    pepper: readOrMakeSecret(dir.pepper),
    auditRetentionDays: config.auditRetentionDays,
    now,
    logger,
  });
  const { apiKey: firstKey } = await control.ensureFirstProject(config.project, config.apiKey);
  closing.add('maintenance', control.maintenance, (maintenance) => maintenance.stop()).start();
  const warn = (phrase: string) => logger.warn(phrase);
  const authenticator = createAuthenticator({
    controlPlane: control.controlPlane,
    snapshotDir: dir.keys,
    now,
    warn,
  });
  closing.add('key snapshot', authenticator, (open) => open.close());
  return { control, authenticator, firstKey };
}

/** Where things lie in the data folder; only its owner may look inside. */
function folders(dataDir: string) {
  const root = resolve(dataDir);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  return {
    documents: join(root, 'documents'),
    log: join(root, 'log'),
    events: join(root, 'events'),
    keys: join(root, 'keys'),
    pepper: join(root, 'key-pepper'),
    adminToken: join(root, 'admin-token'),
  };
}
