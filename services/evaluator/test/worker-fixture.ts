import { decodeRecord, readEvaluations } from '@assay/contracts';
import { inputFingerprint, pendingEvaluation, type DeployedMetric, type Evaluation } from '@assay/domain';
import type { LogRecord } from '@assay/event-log';
import type { EvaluationRow, SessionsPort, StatesPort } from '@assay/event-store';
import { portWith } from '@assay/event-store/test/port-with';
import { createLogger, createMetrics } from '@assay/runtime';
import { ProjectMetrics } from '../src/definitions/project-metrics.js';
import type { EvaluateMetricDeps } from '../src/kinds/metric-kind.js';
import { startWorker } from '../src/judging/start-worker.js';
import type { Worker, WorkerOptions } from '../src/judging/worker.js';
import { quietPeriod } from '../src/shared/quiet-period.js';
import type { NewWork } from '../src/shared/work-item.js';
import { storedEvent } from './metric-fixture.js';

/** A worker, what it has appended, and the evaluations that its store lists as pending. */
export class WorkerRun {
  readonly worker: Worker;
  readonly evaluations: (Evaluation & { readonly eventId: string })[] = [];
  /** Evaluations that wait in the store. */
  pending: EvaluationRow[] = [];
  /** Appends that fail from now on. */
  failures = 0;
  readonly #metrics = createMetrics({ processMetrics: false });

  constructor(
    deps: EvaluateMetricDeps & Partial<WorkerOptions>,
    private readonly metric: DeployedMetric,
  ) {
    this.worker = startWorker({
      log: {
        end: () => Promise.resolve(new Map()),
        position: () => Promise.resolve(new Map()),
        append: (records) => this.append(records),
      },
      store: {
        states: portWith<StatesPort>({
          read: (keys) =>
            Promise.resolve(
              new Map(
                keys.map(({ projectId, eventId }) => [
                  `${projectId}/${eventId}`,
                  { event: storedEvent({ event_id: eventId, project_id: projectId }) },
                ]),
              ),
            ),
          evaluations: () => Promise.resolve(new Map()),
          pendingEvaluations: ({ partitions }) =>
            Promise.resolve(this.pending.filter(({ logPartition }) => partitions.includes(logPartition))),
        }),
        sessions: portWith<SessionsPort>({
          rollups: () => Promise.resolve(new Map()),
          metrics: () => Promise.resolve(new Map()),
        }),
      },
      definitions: { of: () => Promise.resolve(new ProjectMetrics([metric])) },
      waitUntilStored: () => Promise.resolve({ current: true }),
      maxAgeMs: 86_400_000,
      quiet: quietPeriod(1_000),
      logger: createLogger({ level: 'error', service: 'evaluator' }),
      metrics: this.#metrics,
      now: () => 2_000,
      tickMs: 25,
      ...deps,
    });
  }

  /** Returns the decision that the metric evaluates an event whose records are in a partition. */
  work(eventId: string, partition: number, projectId = 'p'): NewWork {
    const event = storedEvent({ event_id: eventId, project_id: projectId });
    const cause = { fingerprint: inputFingerprint(event), trigger: event.version, decidedAt: 1_000 };
    const evaluations = [pendingEvaluation(this.metric, cause)];
    return { projectId: event.project_id, eventId, event, partition, evaluations };
  }

  /** Returns the row of that decision in the store. */
  row(eventId: string, logPartition: number): EvaluationRow {
    const { projectId, evaluations } = this.work(eventId, logPartition);
    return { ...evaluations[0]!, projectId, eventId, logPartition };
  }

  /** Events of the evaluations that have ended, with their decisions. */
  ended(): string[] {
    return this.evaluations
      .filter(({ decision }) => decision !== 'pending')
      .map(({ eventId, decision }) => `${eventId} ${decision}`)
      .sort();
  }

  /** Returns how many tasks wait in the worker, as it reports: those that run are not among them. */
  waiting(): Promise<number> {
    return this.gauge('assay_evaluations_waiting');
  }

  /** Returns the value of a gauge. */
  async gauge(name: string): Promise<number> {
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await this.#metrics.text())?.[1]);
  }

  /** Keeps what the worker appends. */
  append(records: readonly LogRecord[]): Promise<void> {
    if (this.failures > 0) {
      this.failures--;
      return Promise.reject(new Error('the log is unavailable'));
    }
    for (const record of records.map(decodeRecord))
      if (record.kind === 'evaluation')
        for (const one of readEvaluations(record).evaluations)
          this.evaluations.push({ ...one, eventId: record.eventId });
    return Promise.resolve();
  }
}
