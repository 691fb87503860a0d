import { join } from 'node:path';
import { openKafkaEventLog, type EventLog } from '@assay/event-log';
import { createClickHouseEventStore, requireMigrated, type EventStore } from '@assay/event-store';
import { connectControlPlane, startService, type ServiceApi, type ServiceContext } from '@assay/http';
import { startPythonRunner } from '@assay/python-runner';
import { kafkaOptions, type ConfigOf, type Logger, type RunningService } from '@assay/runtime';
import { composeEvaluator } from './compose.js';
import type { evaluatorSettings } from './config.js';
import { openJudge } from './models/open-judge.js';
import { DeferredPythonRunner } from './shared/deferred-python-runner.js';

type EvaluatorConfig = ConfigOf<typeof evaluatorSettings>;

/** Runs the evaluator as a separate process, on Kafka and ClickHouse. The data plane stores its decisions and scores. */
export function startEvaluator(
  config: EvaluatorConfig,
  print: (line: string) => void,
): Promise<RunningService> {
  return startService({ name: 'evaluator', config, print }, (context) => openEvaluator(config, context));
}

async function openEvaluator(config: EvaluatorConfig, context: ServiceContext): Promise<ServiceApi> {
  const { logger, metrics, shutdown } = context;
  const log = shutdown.add('event log', await openLog(config, logger), (open) => open.close());
  const store = shutdown.add('event store', openStore(config), (open) => open.close());
  await requireMigrated(store);
  const { controlPlane, authenticator } = await connectControlPlane(config, context);
  const python = shutdown.add(
    'Python runner',
    new DeferredPythonRunner(() => startPythonRunner({ log: logger })),
    (runner) => runner.close(),
  );
  const judge = shutdown.add('judge', openJudge(config), (open) => Promise.resolve(open.close()));
  const evaluator = await composeEvaluator({
    log,
    store,
    controlPlane,
    snapshotDir: join(config.dataDir, 'metrics'),
    python,
    judge,
    pythonTimeoutMs: config.pythonMetricTimeoutMs,
    logger,
    metrics,
    now: Date.now,
  });
  shutdown.add('evaluator', evaluator, (running) => running.stop());
  return {
    bindings: evaluator.routes,
    authenticator,
    internalToken: config.controlPlaneToken,
    checks: { log: () => log.check() },
    liveness: evaluator.liveness,
    inspections: { log: () => log.inspect(), 'event store': () => store.inspect() },
  };
}

function openLog(config: EvaluatorConfig, logger: Logger): Promise<EventLog> {
  // With a crashed consumer, the process would look healthy and read nothing.
  const onCrash = endProcess;
  return openKafkaEventLog({ ...kafkaOptions(config), clientId: 'assay-evaluator', logger, onCrash });
}

/** As an uncaught exception, the error shuts the process down in order. */
function endProcess(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

function openStore(config: EvaluatorConfig): EventStore {
  return createClickHouseEventStore({
    url: config.clickhouseUrl,
    username: config.clickhouseUsername,
    password: config.clickhousePassword,
    database: config.clickhouseDatabase,
    cluster: config.clickhouseCluster,
  });
}
