import { join } from 'node:path';
import { ROUTES, type RouteOwner } from '@assay/contracts';
import { createEvaluatorClient, type ControlPlane } from '@assay/control-plane-client';
import { unavailable } from '@assay/errors';
import { createClickHouseEventStore, requireMigrated } from '@assay/event-store';
import {
  bind,
  connectControlPlane,
  controlPlaneTls,
  createProxy,
  openConsole,
  startService,
  type Binding,
  type ProxyOptions,
  type ServiceApi,
  type ServiceContext,
} from '@assay/http';
import { consumerGroups } from '@assay/log-readers';
import { openReaderLog } from '@assay/log-readers/kafka';
import {
  CLICKHOUSE,
  clickhouseOptions,
  connectionTls,
  createTlsAgent,
  endProcess,
  explainRefusal,
  refuseFaults,
  type ConfigOf,
  type Logger,
  type RunningService,
  type TlsFiles,
} from '@assay/runtime';
import { composeDataPlane } from './compose.js';
import type { dataPlaneSettings } from './config.js';
import { optionsFromConfig } from './options-from-config.js';
import {
  EVALUATOR_STATUS_TIMEOUT_MS,
  inspectEvaluator,
  makeEvaluatorStatus,
} from './status/evaluator-status.js';
import { statusFromConfig } from './status/status-from-config.js';
import { agentBindings } from './mcp/agent-bindings.js';
import { repairStore } from './shared/repair-store.js';
import { storeOptions } from './shared/store-options.js';
import { redactionFromConfig } from './forwarding/redaction-from-config.js';
import { makeWarnOfUnauthorisedProjects } from './forwarding/warn-of-unauthorised-projects.js';

type DataPlaneConfig = ConfigOf<typeof dataPlaneSettings>;

/** A few requests of a project run at the control plane at a time, and some more wait. */
const CONTROL_PLANE_SHARES = { total: 64, perProject: 4, maxWaiting: 32, maxWaitMs: 10_000 };
/** The evaluator runs as many requests of a project at a time; the same number waits. Calls of models may hang, and leave room for those of other projects. */
const EVALUATOR_SHARES = {
  total: 64,
  perProject: 16,
  leavesRoom: true,
  reserve: 64,
  maxWaiting: 8,
  maxWaitMs: 10_000,
};

/** Runs the data plane as a separate process, on Kafka and ClickHouse. Serves every route; those of other services through a proxy. */
export function startDataPlane(
  config: DataPlaneConfig,
  print: (line: string) => void,
): Promise<RunningService> {
  return startService({ name: 'data-plane', config, print }, (context) => openDataPlane(config, context));
}

async function openDataPlane(config: DataPlaneConfig, context: ServiceContext): Promise<ServiceApi> {
  const { logger, metrics, shutdown, tracing } = context;
  const redaction = redactionFromConfig(config);
  const log = await openLog(config, context);
  const store = await openMigratedStore(config, context);
  const { controlPlane, authenticator } = await connectControlPlane(
    config,
    context,
    makeWarnOfUnauthorisedProjects(logger),
  );
  const ofEvaluator = { evaluator: openEvaluatorClient(config, context), now: Date.now };
  const evaluation = makeEvaluatorStatus(ofEvaluator);
  const dataPlane = await composeDataPlane({
    log,
    store,
    controlPlane,
    projectIds: config.projectIds,
    role: config.role,
    redaction,
    forward: config.forwardEvents ? { retryMaxMs: config.forwardRetryMaxMs, summaries: true } : undefined,
    ...{ logger, metrics, tracing },
    now: Date.now,
    readAfterWriteTimeoutMs: config.readAfterWriteTimeoutMs,
    epochs: { pinned: config.kafkaEpoch || undefined, isExclusive: false },
    epochFile: join(config.dataDir, 'log-epoch'),
    onReplaced: endProcess,
    ...optionsFromConfig(config),
    status: {
      process: { ...statusFromConfig('data-plane', config), evaluation },
      groups: consumerGroups({ ...config, evaluateEvents: config.evaluatorUrl !== undefined }),
    },
  });
  const { readers } = dataPlane;
  shutdown.add('readers', dataPlane, (running) => running.stop());

  return {
    bindings: config.role === 'readers' ? [] : [...dataPlane.routes, ...proxiedRoutes(config, context)],
    authenticator,
    adminToken: config.adminToken,
    servesOpenApi: true,
    ...clientsOf(config, controlPlane, logger),
    checks: { log: () => log.check(), ...readers?.checks },
    liveness: readers?.liveness,
    inspections: {
      log: () => log.inspect(),
      'event store': () => store.administration.inspect(),
      evaluator: () => inspectEvaluator(ofEvaluator),
    },
  };
}

function aboutConsole({ redactValues }: DataPlaneConfig) {
  return { plane: 'data-plane', redact_values: redactValues, data_plane_url: null } as const;
}

/** What people and agents use beside the API. */
function clientsOf(
  config: DataPlaneConfig,
  people: ControlPlane,
  logger: Logger,
): Pick<ServiceApi, 'console' | 'bindingsOnApi'> {
  if (config.role === 'readers') return {};
  return {
    console: openConsole(config, { about: aboutConsole(config), people }),
    bindingsOnApi: agentBindings(config, logger),
  };
}

async function openLog(config: DataPlaneConfig, { logger, shutdown }: ServiceContext) {
  const log = await openReaderLog(config, 'assay-data-plane', logger);
  return shutdown.add('event log', log, (open) => open.close());
}

async function openMigratedStore(config: DataPlaneConfig, { logger, shutdown }: ServiceContext) {
  const store = shutdown.add(
    'event store',
    createClickHouseEventStore({
      ...clickhouseOptions(config, logger),
      ...storeOptions(config),
      use: config.role === 'query' ? 'read' : 'write',
    }),
    (open) => open.administration.close(),
  );
  refuseFaults(await explainRefusal(CLICKHOUSE, () => store.administration.inspect()), logger);
  await explainRefusal(CLICKHOUSE, () =>
    config.clickhouseMigrate ? store.administration.migrate() : requireMigrated(store.administration),
  );
  // Does not delay the start: other processes write concurrently anyway.
  if (config.role !== 'query') void repairStore(store.administration, logger);
  return store;
}

function evaluatorTls(config: DataPlaneConfig, logger: Logger): TlsFiles | undefined {
  const { evaluatorCaFile: ca, evaluatorCertFile: cert, evaluatorKeyFile: key } = config;
  return connectionTls({ ca, cert, key }, logger);
}

function openEvaluatorClient(config: DataPlaneConfig, { logger, shutdown }: ServiceContext) {
  // Processes without the API need no evaluator, and network policies may forbid the connection.
  if (config.evaluatorUrl === undefined || config.role === 'readers') return undefined;
  const tls = evaluatorTls(config, logger);
  const client = createEvaluatorClient({
    url: config.evaluatorUrl,
    token: config.evaluatorToken ?? config.controlPlaneToken,
    timeoutMs: EVALUATOR_STATUS_TIMEOUT_MS,
    agent: tls && createTlsAgent(tls),
  });
  return shutdown.add('connection to the evaluator', client, (open) => Promise.resolve(open.close()));
}

/** Returns the routes of the other services, served through proxies. */
function proxiedRoutes(config: DataPlaneConfig, { logger, shutdown }: ServiceContext): Binding[] {
  const upstreams: Partial<Record<RouteOwner, ProxyOptions>> = {
    ingestion: {
      baseUrl: config.ingestionUrl,
      internalToken: config.ingestionToken ?? config.controlPlaneToken,
      tls: connectionTls(
        { ca: config.ingestionCaFile, cert: config.ingestionCertFile, key: config.ingestionKeyFile },
        logger,
      ),
    },
    'control-plane': {
      baseUrl: config.controlPlaneUrl,
      internalToken: config.controlPlaneToken,
      tls: controlPlaneTls(config, logger),
      shares: CONTROL_PLANE_SHARES,
    },
    ...(config.evaluatorUrl !== undefined && {
      evaluator: {
        baseUrl: config.evaluatorUrl,
        internalToken: config.evaluatorToken ?? config.controlPlaneToken,
        tls: evaluatorTls(config, logger),
        shares: EVALUATOR_SHARES,
        timeoutMs: config.evaluatorTimeoutMs,
      },
    }),
  };
  const proxied = Object.entries(upstreams).flatMap(([owner, target]) => {
    const proxy = createProxy(target);
    shutdown.add(`connections to ${owner}`, proxy, (open) => Promise.resolve(open.close()));
    return ROUTES.filter((route) => route.owner === owner).map((route) => proxy.bind(route));
  });
  return config.evaluatorUrl === undefined ? [...proxied, ...withoutEvaluator()] : proxied;
}

function withoutEvaluator(): Binding[] {
  return ROUTES.filter((route) => route.owner === 'evaluator').map((route) =>
    bind(route, () =>
      Promise.reject(unavailable('this deployment runs no metrics on request: EVALUATOR_URL is not set')),
    ),
  );
}
