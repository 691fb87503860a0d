import { join } from 'node:path';
import { internalApi } from '@assay/contracts';
import { AppError } from '@assay/errors';
import { createClickHouseEventStore, requireMigrated, type EventStore } from '@assay/event-store';
import { bind, connectControlPlane, startService, type ServiceApi, type ServiceContext } from '@assay/http';
import { openPrices, type Judge } from '@assay/judges';
import { openReaderLog } from '@assay/log-readers/kafka';
import {
  CLICKHOUSE,
  clickhouseOptions,
  explainRefusal,
  refuseFaults,
  type ConfigOf,
  type Logger,
  type RunningService,
} from '@assay/runtime';
import { composeEvaluator } from './compose.js';
import type { evaluatorSettings } from './config.js';
import { inspectPython, makeEvaluatorStatus } from './models/evaluator-status.js';
import { defaultModelOf } from './models/default-model.js';
import { makeModelState } from './models/model-report.js';
import { openJudge } from './models/open-judge.js';
import { createTemplateWorkers } from '@assay/templates';
import { deferredPythonRunner } from './shared/deferred-python-runner.js';

type EvaluatorConfig = ConfigOf<typeof evaluatorSettings>;

/** Runs the evaluator as a separate process, on Kafka and ClickHouse. The data plane stores its decisions and scores. */
export function startEvaluator(
  config: EvaluatorConfig,
  print: (line: string) => void,
): Promise<RunningService> {
  return startService({ name: 'evaluator', config, print }, (context) => openEvaluator(config, context));
}

async function openEvaluator(config: EvaluatorConfig, context: ServiceContext): Promise<ServiceApi> {
  const { logger, metrics, shutdown, tracing } = context;
  const log = shutdown.add('event log', await openReaderLog(config, 'assay-evaluator', logger), (open) =>
    open.close(),
  );
  const store = shutdown.add('event store', openStore(config, logger), (open) => open.administration.close());
  refuseFaults(await explainRefusal(CLICKHOUSE, () => store.administration.inspect()), logger);
  await explainRefusal(CLICKHOUSE, () => requireMigrated(store.administration));
  const { controlPlane } = await connectControlPlane(config, context);
  const python = shutdown.add('Python runner', deferredPythonRunner(config, logger), (runner) =>
    runner.close(),
  );
  const judge = openModels(config, context);
  const evaluator = await composeEvaluator({
    log,
    store,
    controlPlane,
    projectIds: config.projectIds,
    snapshotDir: join(config.dataDir, 'metrics'),
    python,
    judge,
    defaultModel: defaultModelOf(config),
    modelState: makeModelState(config),
    pythonTimeoutMs: config.pythonMetricTimeoutMs,
    maxAgeMs: config.evaluationMaxAgeSeconds * 1_000,
    quietMs: config.evaluationSessionQuietSeconds * 1_000,
    logger,
    metrics,
    tracing,
    now: Date.now,
  });
  const status = makeEvaluatorStatus(config, { python, failing: () => evaluator.providers() });
  shutdown.add('evaluator', evaluator, (running) => running.stop());
  return {
    bindings: [...evaluator.routes, bind(internalApi.getEvaluatorStatus, () => Promise.resolve(status()))],
    authenticator: { authenticate: refuseKey },
    internalToken: config.evaluatorToken ?? config.controlPlaneToken,
    checks: { log: () => log.check() },
    liveness: evaluator.liveness,
    inspections: {
      log: () => log.inspect(),
      'event store': () => store.administration.inspect(),
      Python: () => Promise.resolve([inspectPython(status().python.reason)]),
    },
  };
}

/** Clients call the data plane, which states the caller with the internal token. */
function refuseKey(): Promise<never> {
  return Promise.reject(
    new AppError(
      'UNAUTHORIZED',
      'the evaluator accepts only requests of the data plane, call the data plane',
    ),
  );
}

function openStore(config: EvaluatorConfig, logger: Logger): EventStore {
  return createClickHouseEventStore({
    ...clickhouseOptions(config, logger),
    use: 'read',
  });
}

function openModels(config: EvaluatorConfig, context: ServiceContext): Judge {
  const { logger, shutdown } = context;
  const templates = shutdown.add('template workers', createTemplateWorkers({ logger }), (open) =>
    open.close(),
  );
  const prices = openPrices(config.priceTableFile, context);
  return shutdown.add('judge', openJudge(config, { logger, prices, templates }), (open) =>
    Promise.resolve(open.close()),
  );
}
