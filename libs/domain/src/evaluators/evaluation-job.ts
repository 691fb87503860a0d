import type { Filter } from '../events/filter/filter.js';
import type { EventPosition } from '../events/page/page-cursor.js';

/** `running` until all events are considered; `stopped` by a client; `failed` when it cannot continue. */
export const JOB_STATES = ['running', 'completed', 'stopped', 'failed'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** Numbers of the events that a job has considered, by their results. */
export interface JobCounts {
  /** Events that match. */
  readonly events: number;
  /** Events that the job has scored. */
  readonly scored: number;
  /** Events whose evaluation ended with an error. */
  readonly failed: number;
  /** Events that had a score, lack a ground truth, or were deleted. */
  readonly skipped: number;
}

export const NO_COUNTS: JobCounts = { events: 0, scored: 0, failed: 0, skipped: 0 };

/** A job that evaluates stored events by a metric, newest first. */
export interface EvaluationJob {
  readonly projectId: string;
  readonly jobId: string;
  readonly metricId: string;
  /** Conditions besides those of the metric. */
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

/** Asks for the evaluation of an event that arrived earlier. */
export interface EvaluationRequest {
  readonly metricId: string;
  /** Unix milliseconds. An evaluation that failed before is repeated, a later one is not. */
  readonly since: number;
}
