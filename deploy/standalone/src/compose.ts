import {
  composeControlPlane,
  ingestLimitsFrom,
  openIdentityProvider,
  prepareFirstKey,
} from '@assay/control-plane';
import { createAuthenticator } from '@assay/control-plane-client';
import {
  composeDataPlane,
  optionsFromConfig,
  storeOptions,
  redactionFromConfig,
  repairStore,
  statusFromConfig,
  type DataPlane,
  type EvaluatorView,
  type ProcessStatus,
} from '@assay/data-plane';
import { openEmbeddedDocumentStore, type DocumentStore } from '@assay/document-store';
import { openEmbeddedEventLog, type EmbeddedEventLog } from '@assay/event-log';
import { createChdbEventStore } from '@assay/event-store/chdb';
import { startService, VERSION, type Inspections, type ServiceApi, type ServiceContext } from '@assay/http';
import { openPrices, type Ingestion } from '@assay/ingestion';
import { consumerGroups, StageCounts } from '@assay/log-readers';
import { inspectPython, makeModelWarnings } from '@assay/evaluator';
import { createSyntaxChecker } from '@assay/python-runner';
import { createTemplateWorkers, type TemplateRenderer } from '@assay/templates';
import {
  endProcess,
  openDataFolder,
  readOrCreateSecret,
  recordDataVersion,
  refuseNewerData,
  watchDiskReserve,
  type ConfigOf,
  type DiskReserve,
  type Finding,
  type Logger,
  type Metrics,
  type RunningService,
} from '@assay/runtime';
import type { standaloneSettings } from './config.js';
import { folders } from './folders.js';
import { openClients } from './open-clients.js';
import { openEvaluator, type OpenEvaluator } from './open-evaluator.js';
import { openIngestion } from './open-ingestion.js';
import { openBackups } from './backups/backups.js';
import { guardBindings, guardDocuments, guardLog, guardStore } from './disk-guard.js';

/** `hints`: `off` for tests and benches, whose event store remembers nothing of its reads. */
type StandaloneConfig = ConfigOf<typeof standaloneSettings> & { readonly hints?: 'off' };

/** On a busy machine. Container runtimes and supervisors that kill a single process after 10 s lose nothing that was accepted. */
const CLOSE_WITHIN_MS = 20_000;
/** Shorter than in the separate services, so that closing takes less than these 10 s on most machines. */
const DRAIN_MS = 4_000;
/** Shorter than in the separate services: a look-up only reads the process's own documents. */
const KEY_CACHE_MS = 1_000;

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
  const dir = folders(await openFittingFolder(config.dataDir));
  const adminToken = config.adminToken ?? readOrCreateSecret(dir.adminToken);

  const reserve = await openReserve(config, dir, context);
  const stores = await openStores({ config, dir, reserve }, context);
  const { documents, log } = stores;

  const templates = context.shutdown.add(
    'template workers',
    createTemplateWorkers({ logger: context.logger }),
    (open) => open.close(),
  );
  const running: { evaluator?: OpenEvaluator; ingestion?: Ingestion } = {};
  const failing = (projectId: string) => running.evaluator?.providers(projectId) ?? [];
  const { control, authenticator, announceFirstKey } = await openControlPlane(
    { config, documents, dir, reserve, templates, failing },
    context,
  );
  const counts = new StageCounts(Date.now);
  const evaluation = () => Promise.resolve(evaluationStatus(running.evaluator));
  const dataPlane = await openDataPlane(
    {
      ...{ ...stores, config, dir, redaction: redactionFromConfig(config), control, counts, evaluation },
      ingestUsage: (caller) => running.ingestion?.usageOf(caller),
    },
    context,
  );
  const prices = openPrices(config.priceTableFile, context);
  const evaluator = await openEvaluator(
    { ...stores, config, dir: dir.metrics, control, dataPlane, counts, templates, prices },
    context,
  );
  if (evaluator) running.evaluator = evaluator;
  const { controlPlane } = control;
  const ingestion = openIngestion({ config, log, controlPlane, counts, prices }, context);
  running.ingestion = ingestion;

  const others = [...dataPlane.routes, ...control.routes, ...(evaluator?.routes ?? [])];
  return {
    bindings: guardBindings(ingestion.routes, others, reserve),
    authenticator,
    adminToken,
    onFailure: ingestion.onFailure,
    servesOpenApi: true,
    ...openClients(config, { ...control, secretFile: dir.consoleSecret, logger: context.logger }),
    ...healthChecks(stores, dataPlane, evaluator),
    inspections: inspections(stores, evaluator, reserve),
    announce: announceFirstKey,
  };
}

async function openFittingFolder(path: string): Promise<string> {
  const folder = await openDataFolder(path);
  await refuseNewerData(folder, VERSION);
  return folder;
}

interface DataPlaneParts extends Stores {
  readonly config: StandaloneConfig;
  readonly dir: ReturnType<typeof folders>;
  readonly redaction: ReturnType<typeof redactionFromConfig>;
  readonly control: Awaited<ReturnType<typeof openControlPlane>>['control'];
  readonly counts: StageCounts;
  readonly evaluation: ProcessStatus['evaluation'];
  readonly ingestUsage: ProcessStatus['ingestUsage'];
}

async function openDataPlane(
  { config, dir, log, store, backups, redaction, control, counts, evaluation, ingestUsage }: DataPlaneParts,
  { logger, metrics, shutdown, tracing }: ServiceContext,
): Promise<DataPlane> {
  const dataPlane = await composeDataPlane({
    log,
    store,
    mergeParts: (limits) => store.mergeParts(limits),
    controlPlane: control.controlPlane,
    redaction,
    // The data plane answers every route about sessions, so that nothing reads summaries.
    forward: config.forwardEvents ? { retryMaxMs: config.forwardRetryMaxMs, summaries: false } : undefined,
    logger,
    metrics,
    tracing,
    now: Date.now,
    readAfterWriteTimeoutMs: config.readAfterWriteTimeoutMs,
    epochs: { isExclusive: true },
    epochFile: dir.epoch,
    knownIdsFile: dir.knownIds,
    onReplaced: endProcess,
    ...optionsFromConfig(config),
    ...(config.maxStoreBytes !== undefined && {
      storeLimit: { maxBytes: config.maxStoreBytes, size: store },
    }),
    counts,
    createBackup: (directory) => backups.create(directory),
    status: {
      process: { ...statusFromConfig('standalone', config), evaluation, ingestUsage },
      groups: consumerGroups(config),
    },
  });
  return shutdown.add('readers', dataPlane, (running) => running.stop());
}

function healthChecks(stores: Stores, { readers }: DataPlane, evaluator: OpenEvaluator | undefined) {
  const { documents, log } = stores;
  return {
    checks: {
      log: () => log.check(),
      documents: () => documents.check(),
      ...readers?.checks,
    },
    liveness: { ...readers?.liveness, ...evaluator?.liveness },
  };
}

const NO_EVALUATOR = 'EVALUATE_EVENTS=false';

/** What `/doctor` reports besides the checks. */
function inspections(
  { documents, log, store }: Stores,
  evaluator: OpenEvaluator | undefined,
  reserve: DiskReserve,
): Inspections {
  return {
    log: () => log.inspect(),
    'event store': () => store.administration.inspect(),
    'document store': () => documents.inspect(),
    disk: () => Promise.resolve([inspectDisk(reserve)]),
    Python: () =>
      Promise.resolve([inspectPython(evaluator ? evaluator.status().python.reason : NO_EVALUATOR)]),
  };
}

function inspectDisk({ isExhausted, freeBytes }: DiskReserve): Finding {
  const detail = `${freeBytes} bytes are free`;
  if (!isExhausted) return { name: 'disk', ok: true, detail };
  const advice = 'free space on the file system of the data folder; events are refused until then';
  return { name: 'disk', ok: false, detail, advice };
}

function evaluationStatus(evaluator: OpenEvaluator | undefined): EvaluatorView {
  if (evaluator) return { ...evaluator.status(), evaluator_reason: null };
  return { python: null, providers: null, evaluator_reason: NO_EVALUATOR };
}

async function openReserve(
  config: StandaloneConfig,
  dir: ReturnType<typeof folders>,
  { logger, metrics, shutdown }: ServiceContext,
): Promise<DiskReserve> {
  return shutdown.add(
    'disk reserve',
    await watchDiskReserve({ dir: dir.root, minFreeBytes: config.minFreeDisk, logger, metrics }),
    (watch) => watch.close(),
  );
}

interface DataFolder {
  readonly config: StandaloneConfig;
  readonly dir: ReturnType<typeof folders>;
  readonly reserve: DiskReserve;
}

/** Opens the embedded stores. Their writes are refused while the disk is full. */
async function openStores(
  { config, dir, reserve }: DataFolder,
  { logger, metrics, shutdown }: ServiceContext,
) {
  const documents = shutdown.add(
    'document store',
    await openEmbeddedDocumentStore({ dir: dir.documents }),
    (store) => store.close(),
  );
  const log = shutdown.add('event log', await openLog(config, dir.log, logger), (open) => open.close());
  // The folder is locked now, and the event store's tables are not changed yet.
  await recordDataVersion(dir.root, VERSION);
  measureRetention(log, metrics);
  const store = shutdown.add(
    'event store',
    createChdbEventStore({ dir: dir.events, ...storeOptions(config), hints: config.hints }),
    (open) => open.administration.close(),
  );
  await store.administration.migrate();
  await repairStore(store.administration, logger);
  const parts = { root: dir.root, documents, log, store, reserve, logger };
  const backups = shutdown.add('backups', openBackups(parts), (open) => open.close());
  return {
    backups,
    documents: guardDocuments(documents, reserve),
    log: guardLog(log, reserve),
    store: guardStore(store, reserve),
  };
}

function openLog(config: StandaloneConfig, dir: string, logger: Logger): Promise<EmbeddedEventLog> {
  const retention = {
    maxAgeMs: config.retentionHours * 3_600_000,
    ...(config.maxLogBytes > 0 && { maxLogBytes: config.maxLogBytes }),
  };
  return openEmbeddedEventLog({ dir, logger, retention, activeGroups: consumerGroups(config) });
}

/** Reports the size of the log, and the consumer group that keeps it beyond its limits. */
function measureRetention(log: EmbeddedEventLog, metrics: Metrics): void {
  const help = 'Records that the consumer group which holds log retention has not read';
  metrics.gauge('assay_log_retention_holder_lag_records', help, ['group'], (gauge) => {
    gauge.reset();
    const holder = log.retentionHolder();
    if (holder) gauge.set({ group: holder.group }, holder.lag);
  });
  metrics.gauge('assay_log_bytes', 'Size of the event log on disk', [], (gauge) =>
    gauge.set(log.sizeBytes()),
  );
}

type Stores = Awaited<ReturnType<typeof openStores>>;

interface ControlPlaneParts extends DataFolder {
  readonly templates: TemplateRenderer;
  readonly documents: DocumentStore;
  readonly failing: Parameters<typeof makeModelWarnings>[1];
}

/** Opens the control plane with its first project, and the authenticator that caches its keys. */
async function openControlPlane(
  { config, documents, dir, reserve, templates, failing }: ControlPlaneParts,
  { logger, metrics, shutdown }: ServiceContext,
) {
  const now = () => new Date();
  const pythonSyntax = shutdown.add(
    'syntax check',
    createSyntaxChecker({ command: [config.pythonExecutable] }),
    (checker) => Promise.resolve(checker.close()),
  );
  const control = await composeControlPlane({
    documents,
    pythonSyntax,
    templates,
    ...(config.evaluateEvents && { modelWarnings: makeModelWarnings(config, failing) }),
    pepper: readOrCreateSecret(dir.pepper),
    auditRetentionDays: config.auditRetentionDays,
    retentionDays: config.eventRetentionDays,
    projectLimits: ingestLimitsFrom(config),
    alertIntervalMs: config.alertIntervalSeconds * 1_000,
    identityProvider: openIdentityProvider(config, { logger, metrics }),
    ...{ now, logger },
  });
  const announceFirstKey = await prepareFirstKey(control.ensureFirstProject, config.project, config.apiKey);
  shutdown.add('maintenance', control.maintenance, (maintenance) => maintenance.stop()).start();
  const authenticator = createAuthenticator({
    controlPlane: control.controlPlane,
    snapshotDir: dir.keys,
    cacheMs: KEY_CACHE_MS,
    mayWriteSnapshot: () => !reserve.isExhausted,
    now,
    warn: (phrase) => logger.warn(phrase),
  });
  shutdown.add('key snapshot', authenticator, (open) => open.close());
  return { control, authenticator, announceFirstKey };
}
