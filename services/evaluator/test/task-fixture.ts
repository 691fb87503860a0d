import { decodeRecord, readEvaluations } from '@assay/contracts';
import {
  inputFingerprint,
  pendingEvaluation,
  type DeployedMetric,
  type Evaluation,
  type JsonObject,
  type SessionTotals,
} from '@assay/domain';
import { ProjectMetrics } from '../src/definitions/project-metrics.js';
import type { EvaluateMetricDeps } from '../src/kinds/metric-kind.js';
import type { RunTaskDeps, StoredEvent } from '../src/judging/evaluation-step.js';
import { makeRunTask } from '../src/judging/run-task.js';
import { quietPeriod } from '../src/shared/quiet-period.js';
import { storedEvent } from './metric-fixture.js';

/** What the tasks of one event have appended, and the state that they find. */
export class TaskRun {
  event: StoredEvent = storedEvent();
  stored: readonly Evaluation[] = [];
  /** What the event, a session, derives from its events. */
  totals: SessionTotals | undefined;
  /** The scores of these events. */
  scores: readonly JsonObject[] = [];
  readonly patches: JsonObject[] = [];
  readonly evaluations: Evaluation[] = [];
  readonly run: (...evaluations: Evaluation[]) => ReturnType<ReturnType<typeof makeRunTask>>;

  constructor(deps: EvaluateMetricDeps & Partial<RunTaskDeps>, metrics: readonly DeployedMetric[]) {
    const runTask = makeRunTask({
      definitions: { of: () => Promise.resolve(new ProjectMetrics(metrics)) },
      loadEvent: () => Promise.resolve(this.event),
      loadEvaluations: () => Promise.resolve(this.stored),
      append: (records) => Promise.resolve(records.map(decodeRecord).forEach((one) => this.#keep(one))),
      onJudged: () => undefined,
      mayCall: () => true,
      maxAgeMs: 86_400_000,
      quiet: quietPeriod(1_000),
      sessions: {
        totals: () => Promise.resolve(this.totals),
        scores: () => Promise.resolve(this.scores),
      },
      now: () => 2_000,
      signal: new AbortController().signal,
      ...deps,
    });
    this.run = (...evaluations) => {
      const { project_id: projectId, event_id: eventId } = this.event;
      return runTask({ key: eventId, pool: 'any', projectId, eventId, partition: 0, evaluations });
    };
  }

  /** Returns the decision that a metric evaluates the event. */
  pending(metric: DeployedMetric): Evaluation {
    const fingerprint = inputFingerprint(this.event);
    return pendingEvaluation(metric, { fingerprint, trigger: this.event.version, decidedAt: 1_000 });
  }

  #keep(record: ReturnType<typeof decodeRecord>): void {
    if (record.kind === 'evaluation') this.evaluations.push(...readEvaluations(record).evaluations);
    else this.patches.push(JSON.parse(record.value.toString()) as JsonObject);
  }
}
