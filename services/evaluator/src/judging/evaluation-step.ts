import { encodeEvaluations, encodeEvaluationsInParts } from '@assay/contracts';
import { awaitsQuiet, type DeployedMetric, type Evaluation, type FilterWork } from '@assay/domain';
import type { LogRecord } from '@assay/event-log';
import type { EventState } from '@assay/event-store';
import type { Repetition } from '@assay/judges';
import type { MetricDefinitions } from '../definitions/metric-definitions.js';
import type { ProjectMetrics } from '../definitions/project-metrics.js';
import type { EvaluateMetricDeps, EvaluationOutcome } from '../kinds/metric-kind.js';
import type { QuietPeriod } from '../shared/quiet-period.js';
import type { SessionReads } from './session-reads.js';
import type { Task } from './task-queue.js';

export interface RunTaskDeps extends EvaluateMetricDeps {
  readonly definitions: Pick<MetricDefinitions, 'of'>;
  /** Returns the present state of the event of a task; undefined when it does not exist. */
  readonly loadEvent: (task: Task) => Promise<StoredEvent | undefined>;
  /** Returns the stored evaluations of the event of a task. */
  readonly loadEvaluations: (task: Task) => Promise<readonly Evaluation[]>;
  /** Reads what the events of sessions decide. */
  readonly sessions: Pick<SessionReads, 'totals' | 'scores'>;
  readonly quiet: QuietPeriod;
  /** Resolves when the records are durable; retries until then. Rejects only when the process stops. */
  readonly append: (records: readonly LogRecord[]) => Promise<void>;
  /** Whether the provider of the model of a task may be called. */
  readonly mayCall: (task: Task) => boolean;
  /** Age of a decision from which its evaluation is not postponed again, in milliseconds. */
  readonly maxAgeMs: number;
  /** Called after each evaluation by a judge. */
  readonly onJudged: (task: Task, outcome: EvaluationOutcome) => void;
  /** Called when the code of a metric is paused, because it did not end in time too often. */
  readonly onPaused?: (task: Task, metric: DeployedMetric) => void;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

export type StoredEvent = NonNullable<EventState['event']>;

/** How the evaluations of a task ended. */
export interface TaskOutcome {
  readonly completed: readonly Evaluation[];
  /** Evaluations to be carried out later. */
  readonly postponed: readonly Evaluation[];
  /** When they are carried out. */
  readonly repetition: Repetition;
}

export interface Step {
  readonly task: Task;
  readonly event: StoredEvent;
  readonly metrics: ProjectMetrics;
  readonly evaluation: Evaluation;
  readonly work: FilterWork;
  /** Aborts when the process stops, and when another one continues the task. */
  readonly signal: AbortSignal;
}

export interface Prepared extends Step {
  readonly metric: DeployedMetric;
}

/** An evaluation that ended; `isScore` unless the event has the score already. */
export interface Ended {
  readonly evaluation: Evaluation;
  readonly isScore: boolean;
  /** Whether it was computed from other scores, so that it replaces a score of a client. */
  readonly isComputed?: boolean;
}

/** An evaluation to be carried out later, with its attempts so far. */
export interface Postponed {
  readonly postponed: Evaluation;
  readonly repetition?: Repetition;
}

/** Returns whether an evaluation has waited for so long that it is not postponed again. */
export function isLate(
  { now, maxAgeMs, quiet }: Pick<RunTaskDeps, 'now' | 'maxAgeMs' | 'quiet'>,
  evaluation: Pick<Evaluation, 'decidedAt' | 'decision' | 'reason'>,
): boolean {
  const begin = evaluation.decidedAt + (awaitsQuiet(evaluation) ? quiet.holdMs : 0);
  return now() - begin >= maxAgeMs;
}

/** Returns the end of an evaluation without a result. */
export function closed(
  { now }: Pick<RunTaskDeps, 'now'>,
  evaluation: Evaluation,
  decision: Evaluation['decision'],
  reason: string,
): Ended {
  return { evaluation: { ...evaluation, decision, reason, decidedAt: now() }, isScore: false };
}

/** Returns the result of an evaluation that is late, with that reason. */
export function late(result: EvaluationOutcome['result']): EvaluationOutcome['result'] {
  return { ...result, reason: `${result.reason}; the evaluation has waited too long and is not repeated` };
}

/** Returns the end of an evaluation with its result. */
export function ended({ now }: RunTaskDeps, started: Evaluation, result: EvaluationOutcome['result']): Ended {
  return { evaluation: { ...started, ...result, decidedAt: now() }, isScore: result.decision === 'scored' };
}

/** Returns the records of any number of evaluations of an event, which every topic takes. */
export function evaluationsRecords(event: StoredEvent, evaluations: readonly Evaluation[]): LogRecord[] {
  const { project_id: projectId, event_id: eventId, session_id: sessionId } = event;
  return encodeEvaluationsInParts({ projectId, eventId }, { sessionId, evaluations });
}

/** Returns the record of evaluations of an event. */
export function evaluationsRecord(event: StoredEvent, evaluations: readonly Evaluation[]): LogRecord {
  const { project_id: projectId, event_id: eventId, session_id: sessionId } = event;
  return encodeEvaluations({ projectId, eventId }, { sessionId, evaluations });
}
