import type { composeControlPlane } from '@assay/control-plane';
import type { DataPlane } from '@assay/data-plane';
import {
  composeEvaluator,
  defaultModelOf,
  deferredPythonRunner,
  makeEvaluatorStatus,
  openJudge,
  type Evaluator,
} from '@assay/evaluator';
import type { EventLog } from '@assay/event-log';
import type { EventStore } from '@assay/event-store';
import type { ServiceContext } from '@assay/http';
import type { Prices } from '@assay/ingestion';
import type { StageCounts } from '@assay/log-readers';
import type { ConfigOf } from '@assay/runtime';
import type { TemplateRenderer } from '@assay/templates';
import type { standaloneSettings } from './config.js';

export interface EvaluatorParts {
  readonly config: ConfigOf<typeof standaloneSettings>;
  /** Folder of the definitions of metrics. */
  readonly dir: string;
  readonly log: EventLog;
  readonly store: EventStore;
  readonly control: Pick<Awaited<ReturnType<typeof composeControlPlane>>, 'controlPlane'>;
  readonly dataPlane: DataPlane;
  readonly templates: TemplateRenderer;
  readonly prices: Prices;
  readonly counts: StageCounts;
}

/** The running evaluator, and what `GET /v1/status` reports of it. */
export interface OpenEvaluator extends Evaluator {
  readonly status: ReturnType<typeof makeEvaluatorStatus>;
}

/** Starts the evaluator, unless it is switched off. */
export async function openEvaluator(
  { config, dir, log, store, control, dataPlane, counts, templates, prices }: EvaluatorParts,
  { logger, metrics, shutdown, tracing }: ServiceContext,
): Promise<OpenEvaluator | undefined> {
  if (!config.evaluateEvents) return undefined;
  const python = shutdown.add('Python runner', deferredPythonRunner(config, logger), (runner) =>
    runner.close(),
  );
  const judge = shutdown.add('judge', openJudge(config, { logger, prices, templates }), (open) =>
    Promise.resolve(open.close()),
  );
  const evaluator = await composeEvaluator({
    log,
    store,
    controlPlane: control.controlPlane,
    snapshotDir: dir,
    python,
    judge,
    defaultModel: defaultModelOf(config),
    pythonTimeoutMs: config.pythonMetricTimeoutMs,
    maxAgeMs: config.evaluationMaxAgeSeconds * 1_000,
    quietMs: config.evaluationSessionQuietSeconds * 1_000,
    counts,
    flushStore: () => dataPlane.readers?.storeReader.loop.flush(),
    logger,
    metrics,
    tracing,
    now: Date.now,
  });
  shutdown.add('evaluator', evaluator, (running) => running.stop());
  return {
    ...evaluator,
    status: makeEvaluatorStatus(config, { python, failing: () => evaluator.providers() }),
  };
}
