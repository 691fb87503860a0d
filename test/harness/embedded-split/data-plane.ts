// Ingestion and the data plane on the embedded log and event store, in one process that calls its control plane over HTTP.
import { join } from 'node:path';
import { ROUTES } from '@assay/contracts';
import { createAuthenticator, createHttpControlPlane } from '@assay/control-plane-client';
import { agentBindings, alertReceivers, composeDataPlane, redactionFromConfig } from '@assay/data-plane';
import { openEmbeddedEventLog } from '@assay/event-log';
import { createChdbEventStore } from '@assay/event-store/chdb';
import { createProxy, openConsole, startService, VERSION, type ServiceContext } from '@assay/http';
import { composeIngestion, openPrices } from '@assay/ingestion';
import { consumerGroups } from '@assay/log-readers';
import {
  adminSettings,
  agentSettings,
  alertSettings,
  bodySettings,
  browserSettings,
  consoleSettings,
  controlPlaneSettings,
  forwardSettings,
  grpcSettings,
  processSettings,
  redactionSettings,
  runService,
  text,
  type ConfigOf,
  type RunningService,
} from '@assay/runtime';

const settings = {
  ...processSettings,
  ...bodySettings,
  ...adminSettings,
  ...agentSettings,
  ...alertSettings,
  ...browserSettings,
  ...consoleSettings,
  ...controlPlaneSettings,
  ...forwardSettings,
  ...grpcSettings,
  ...redactionSettings,
  dataDir: text('ASSAY_DATA_DIR', { default: './data-plane', description: 'Folder of the stores' }),
};
type Config = ConfigOf<typeof settings>;

function start(config: Config, print: (line: string) => void): Promise<RunningService> {
  return startService({ name: 'data-plane', config, print }, async (context) => {
    const { logger, metrics, shutdown } = context;
    const [now, warn] = [Date.now, (phrase: string) => logger.warn(phrase)];
    const { log, store } = await openStores(config, context);
    const { controlPlaneUrl: url, controlPlaneToken: token } = config;
    const controlPlane = createHttpControlPlane({ url, token, timeoutMs: 10_000 });
    const authenticator = createAuthenticator({
      controlPlane,
      snapshotDir: config.dataDir,
      now: () => new Date(),
      warn,
    });
    shutdown.add('key snapshot', authenticator, (open) => open.close());
    const forward = { retryMaxMs: config.forwardRetryMaxMs, summaries: true };
    const redaction = redactionFromConfig(config);
    const services = { log, store, controlPlane, forward, redaction, logger, metrics, now };
    const dataPlane = await composeDataPlane({
      ...services,
      epochs: { isExclusive: true },
      logRetentionMs: 72 * 3_600_000,
      onReplaced: (error) => logger.error('the log was replaced', { error: error.message }),
      readAfterWriteTimeoutMs: 2_000,
      deletedProjectsEveryMs: 60_000,
      alertReceivers: alertReceivers(config),
      purge: { withinMs: 24 * 3_600_000, maxBytesPerHour: 1024 ** 3 },
      status: { process: STATUS, groups: consumerGroups(config) },
    });
    shutdown.add('readers', dataPlane, (running) => running.stop());
    const prices = openPrices(undefined, { logger, metrics, shutdown });
    const ingestion = composeIngestion({ ...services, prices, maxStoreLagMs: 2_000, warn });
    shutdown.add('admission', ingestion.admission, (admission) => admission.stop());
    const proxy = shutdown.add('proxy', createProxy({ baseUrl: url, internalToken: token }), (open) =>
      Promise.resolve(open.close()),
    );
    const proxied = ROUTES.filter(({ owner }) => owner === 'control-plane').map((route) => proxy.bind(route));
    return {
      bindings: [...ingestion.routes, ...dataPlane.routes, ...proxied],
      bindingsOnApi: agentBindings(config, logger),
      console: openConsole(config, {
        about: { plane: 'data-plane', redact_values: config.redactValues, data_plane_url: null },
        people: controlPlane,
      }),
      authenticator,
      adminToken: config.adminToken,
      checks: { ...dataPlane.readers?.checks },
    };
  });
}

/** What the process reports of itself. */
const STATUS = {
  version: VERSION,
  plane: 'data-plane',
  redactValues: false,
  redactNames: false,
  redactNumbers: false,
  redactFields: [],
  objectExport: false,
  limits: {},
  evaluation: () =>
    Promise.resolve({ python: null, providers: null, evaluator_reason: 'there is no evaluator' } as const),
} as const;

async function openStores(config: Config, { logger, shutdown }: ServiceContext) {
  const dir = join(config.dataDir, 'log');
  const log = await openEmbeddedEventLog({ dir, logger, activeGroups: consumerGroups(config) });
  shutdown.add('event log', log, (open) => open.close());
  const store = createChdbEventStore({ dir: join(config.dataDir, 'events') });
  shutdown.add('event store', store, (open) => open.administration.close());
  await store.administration.migrate();
  return { log, store };
}

void runService(settings, start);
