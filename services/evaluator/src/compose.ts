import { randomUUID } from 'node:crypto';
import type { ControlPlane } from '@assay/control-plane-client';
import type { DefaultModel } from '@assay/domain';
import type { EventLog } from '@assay/event-log';
import type { EventStore } from '@assay/event-store';
import type { Binding } from '@assay/http';
import type { Judge } from '@assay/judges';
import { makeWaitUntilStored, readerLiveness, type StageCounts } from '@assay/log-readers';
import type { PythonRunner } from '@assay/python-runner';
import type { Logger, Metrics } from '@assay/runtime';
import type { Tracing } from '@assay/telemetry';
import { startEvaluateReader } from './deciding/start-evaluate-reader.js';
import { MetricDefinitions } from './definitions/metric-definitions.js';
import { SnapshotFiles } from './definitions/snapshot-files.js';
import { evaluatorRoutes } from './http/routes.js';
import { startEvaluationJobs } from './jobs/run-jobs.js';
import type { ProjectProviderState } from './judging/provider-calls.js';
import { startWorker } from './judging/start-worker.js';
import { startModelReports, type ModelState } from './models/model-report.js';
import { quietPeriod } from './shared/quiet-period.js';

export interface EvaluatorOptions {
  readonly log: EventLog;
  /** Already migrated. */
  readonly store: EventStore;
  readonly controlPlane: Pick<ControlPlane, 'deployedMetrics' | 'claimJob' | 'saveJob' | 'reportModels'>;
  /** Projects whose jobs this process runs; absent or empty: all. */
  readonly projectIds?: readonly string[];
  /** Folder that keeps the definitions of metrics for the time when the control plane is unavailable. */
  readonly snapshotDir: string;
  readonly python: PythonRunner;
  readonly judge: Judge;
  /** Model of metrics that name none; absent without one. */
  readonly defaultModel?: DefaultModel | undefined;
  /** What to report of the models to a control plane in another process. */
  readonly modelState?: (failing: readonly ProjectProviderState[]) => ModelState;
  /** Limit of one evaluation by a PYTHON metric, in milliseconds. */
  readonly pythonTimeoutMs: number;
  /** Age of a decision from which its evaluation is not postponed again, in milliseconds. */
  readonly maxAgeMs: number;
  /** How long a session has no change until its events decide whether metrics evaluate it, in milliseconds. */
  readonly quietMs: number;
  /** Asks the `store` reader of this process to store what it has; absent when it runs elsewhere. */
  readonly flushStore?: () => void;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Absent when this process traces nothing. */
  readonly tracing?: Tracing | undefined;
  /** Counts what is decided about by project, in a single process. */
  readonly counts?: StageCounts;
  /** Unix milliseconds. */
  readonly now: () => number;
}

export interface Evaluator {
  readonly routes: Binding[];
  /** Returns the providers of models whose last call by a project has failed: by this one, or by any. */
  providers(projectId?: string): ProjectProviderState[];
  /** Checks that fail when the reader is stuck. */
  readonly liveness: Readonly<Record<string, () => Promise<void>>>;
  /** Stops deciding, then the evaluations that run; what is pending is continued after the next start. Idempotent. */
  stop(): Promise<void>;
}

const POLL_INTERVAL_MS = 20;

/** Composes the evaluator on a log and a store, and starts it. */
export async function composeEvaluator(options: EvaluatorOptions): Promise<Evaluator> {
  const { log, logger, now, flushStore } = options;
  const definitions = new MetricDefinitions({
    ...options,
    snapshots: new SnapshotFiles(options.snapshotDir),
    warn: (phrase, error) => logger.warn(phrase, {}, error),
  });
  const waitUntilStored = makeWaitUntilStored({
    log,
    now,
    pollIntervalMs: POLL_INTERVAL_MS,
    ...(flushStore && { beforeWait: flushStore }),
  });
  const quiet = quietPeriod(options.quietMs);
  const worker = startWorker({ ...options, definitions, waitUntilStored, quiet });
  const reader = await startEvaluateReader({
    ...options,
    quiet,
    definitions,
    waitUntilStored,
    refresh: (events) => worker.refresh(events),
    accept: (work) => worker.accept(work),
    onAssignment: (partitions) => worker.keepOnly(partitions),
    onAssigned: (partitions) => worker.assigned(partitions),
  }).catch(async (error: unknown) => {
    await worker.stop();
    throw error;
  });
  const { projectIds = [], modelState } = options;
  const owner = randomUUID();
  const jobs = startEvaluationJobs({
    ...options,
    ...{ definitions, waitUntilStored, projectIds, owner },
  });
  const reports =
    modelState &&
    startModelReports({ ...options, projectIds, owner, state: () => modelState(worker.providers()) });
  return {
    routes: evaluatorRoutes({ ...options, definitions, waitUntilStored }),
    providers: (projectId) => worker.providers(projectId),
    liveness: readerLiveness({ 'evaluate reader': reader }),
    stop: async () => {
      await reports?.stop();
      await jobs.stop();
      await reader.stop();
      await worker.stop();
    },
  };
}
