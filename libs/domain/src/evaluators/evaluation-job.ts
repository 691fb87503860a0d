import type { Filter } from '../events/filter/filter.js';
import type { EventPosition } from '../events/page/page-cursor.js';

/** `running` until all events are considered; `stopped` by a client; `failed` when it cannot continue. */
export const JOB_STATES = ['running', 'completed', 'stopped', 'failed'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** `evaluation` evaluates stored events by a metric; `backfill` adds them to a queue. */
export const JOB_KINDS = ['evaluation', 'backfill'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** Numbers of the events that a job has considered, by their results. */
export interface JobCounts {
  /** Events that are complete. */
  readonly events: number;
  /** Events that the job has scored. */
  readonly scored: number;
  /** Events whose evaluation ended with an error. */
  readonly failed: number;
  /** Events that had a score, lack a ground truth, or were deleted. */
  readonly skipped: number;
  /** Events that match the filters of a queue, and are in it; absent for an evaluation. */
  readonly matched?: number;
  /** Events of which the filters of a queue were not decided; absent for an evaluation, and in jobs of earlier releases. */
  readonly not_decided?: number;
}

export const NO_COUNTS: JobCounts = { events: 0, scored: 0, failed: 0, skipped: 0 };

/** A job that reads stored events, newest first. */
export interface StoredEventsJob {
  readonly projectId: string;
  readonly jobId: string;
  readonly filters: readonly Filter[];
  /** Bounds of `start_time`, Unix milliseconds, both inclusive. */
  readonly from: number | null;
  readonly to: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** The last event that is complete; null before the first. */
  readonly cursor: EventPosition | null;
  readonly counts: JobCounts;
}

/** A job that evaluates events by a metric. Its filters are conditions besides those of the metric. */
export interface EvaluationJob extends StoredEventsJob {
  readonly metricId: string;
}

/** A job that adds the events to a queue that match the filters which the queue had when the job began. */
export interface BackfillJob extends StoredEventsJob {
  readonly queueId: string;
}

/** Asks for the evaluation of an event that arrived earlier. */
export interface EvaluationRequest {
  /** Empty when the events of a session have changed, and the metrics that decide by them decide again. */
  readonly metricId: string;
  /** Whether only scores of the events of a session have changed, which only composites read. */
  readonly ofScores?: true;
  /** The job that asks, which repeats failures of others and not its own; absent in records of earlier releases. */
  readonly jobId?: string;
  /** Unix milliseconds, for evaluations or requests without a job id: one that failed before is repeated. */
  readonly since: number;
}
