import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { composeControlPlane, firstKeyNotice } from '@assay/control-plane';
import { createAuthenticator } from '@assay/control-plane-client';
import { composeDataPlane, consumerGroups, queryOptions, redactionFromConfig, repairStore } from '@assay/data-plane';
import { openEmbeddedDocumentStore, type DocumentStore } from '@assay/document-store';
import { openEmbeddedEventLog } from '@assay/event-log';
import { createChdbEventStore } from '@assay/event-store';
import { startService, type ServiceApi, type ServiceContext } from '@assay/http';
import { composeIngestion, readPriceTable } from '@assay/ingestion';
import { readOrCreateSecret, type ConfigOf, type RunningService } from '@assay/runtime';
import type { standaloneSettings } from './config.js';

type StandaloneConfig = ConfigOf<typeof standaloneSettings>;

/** Shorter than in the separate services: container runtimes and supervisors kill a single process after 10 s. */
const CLOSE_WITHIN_MS = 10_000;
const DRAIN_MS = 4_000;

/** Runs all services in this process, on stores in one folder. */
export function composeStandalone(
  config: StandaloneConfig,
  print: (line: string) => void,
): Promise<RunningService> {
  const timing = { drainMs: DRAIN_MS, closeWithinMs: CLOSE_WITHIN_MS };
  return startService({ name: 'standalone', title: 'Assay', config, print, ...timing }, (context) =>
    openStandalone(config, context),
  );
}

async function openStandalone(config: StandaloneConfig, context: ServiceContext): Promise<ServiceApi> {
  const { logger, metrics, shutdown } = context;
  const now = () => Date.now();
  const dir = folders(config.dataDir);
  const redaction = redactionFromConfig(config);
  const prices = readPriceTable(config.priceTableFile);
  const adminToken = config.adminToken ?? readOrCreateSecret(dir.adminToken);

  const { documents, log, store } = await openStores(config, dir, context);

  const { control, authenticator, firstKey } = await openControlPlane({ config, documents, dir }, context);
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
  shutdown.add('store reader', dataPlane.storeReader, (reader) => reader.stop());
  shutdown.add('forward reader', dataPlane.forwardReader, async (reader) => reader?.stop());
  const ingestion = composeIngestion({
    log,
    controlPlane: control.controlPlane,
    now,
    prices,
    warn: (phrase) => logger.warn(phrase),
  });

  return {
    bindings: [...ingestion.routes, ...dataPlane.routes, ...control.routes],
    authenticator,
    adminToken,
    servesOpenApi: true,
    checks: {
      log: () => log.check(),
      documents: () => documents.check(),
      ...dataPlane.checks,
    },
    notices: firstKeyNotice(config.project, firstKey),
  };
}

/** Opens the embedded stores. */
async function openStores(
  config: StandaloneConfig,
  dir: ReturnType<typeof folders>,
  { logger, shutdown }: ServiceContext,
) {
  const documents = shutdown.add(
    'document store',
    await openEmbeddedDocumentStore({ dir: dir.documents }),
    (store) => store.close(),
  );
  const retention = { maxAgeMs: config.retentionHours * 3_600_000 };
  const log = shutdown.add(
    'event log',
    await openEmbeddedEventLog({ dir: dir.log, logger, retention, activeGroups: consumerGroups(config) }),
    (open) => open.close(),
  );
  const store = shutdown.add(
    'event store',
    createChdbEventStore({ dir: dir.events, ...queryOptions(config) }),
    (open) => open.close(),
  );
  await store.migrate();
  await repairStore(store, logger);
  return { documents, log, store };
}

interface ControlPlaneParts {
  readonly config: StandaloneConfig;
  readonly documents: DocumentStore;
  readonly dir: ReturnType<typeof folders>;
}

/** Opens the control plane with its first project, and the authenticator that caches its keys. */
async function openControlPlane(
  { config, documents, dir }: ControlPlaneParts,
  { logger, shutdown }: ServiceContext,
) {
  const now = () => new Date();
  const control = await composeControlPlane({
    documents,
    pepper: readOrCreateSecret(dir.pepper),
    auditRetentionDays: config.auditRetentionDays,
    now,
    logger,
  });
  const { apiKey: firstKey } = await control.ensureFirstProject(config.project, config.apiKey);
  shutdown.add('maintenance', control.maintenance, (maintenance) => maintenance.stop()).start();
  const warn = (phrase: string) => logger.warn(phrase);
  const authenticator = createAuthenticator({
    controlPlane: control.controlPlane,
    snapshotDir: dir.keys,
    now,
    warn,
  });
  shutdown.add('key snapshot', authenticator, (open) => open.close());
  return { control, authenticator, firstKey };
}

/** Returns the paths in the data folder, which only its owner may read. */
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
