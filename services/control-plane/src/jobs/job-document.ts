import type { JobResponse } from '@assay/contracts';
import type { EvaluationJob, EventPosition, Filter, JobCounts, JobState } from '@assay/domain';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import type { ProjectOwned } from '../shared/project-scoped-collection.js';

/** A job that evaluates stored events by a metric. It holds filters and positions, and no values of events. */
export interface JobFields extends ProjectOwned {
  readonly metric_id: string;
  readonly metric_name: string;
  readonly filters: readonly Filter[];
  /** Bounds of `start_time`, Unix milliseconds. */
  readonly from: number | null;
  readonly to: number;
  readonly state: JobState;
  readonly reason: string | null;
  /** 0 to {@link MAX_RUNNING_JOBS} - 1, unique in the project while the job runs; absent afterwards. */
  readonly slot?: number;
  readonly cursor: EventPosition | null;
  readonly counts: JobCounts;
  /** The process that runs the job; empty for none. */
  readonly lease_owner: string;
  /** ISO 8601; empty before the first lease. */
  readonly lease_until: string;
  readonly created_at: string;
  readonly updated_at: string;
}
export type Job = Document<JobFields>;
export type JobCollection = DocumentCollection<JobFields>;

export interface JobDeps {
  readonly jobs: JobCollection;
  readonly now: () => Date;
}

/** Jobs of a project that run or wait at a time. */
export const MAX_RUNNING_JOBS = 4;
/** Other jobs of a project that are kept. */
export const MAX_ENDED_JOBS = 100;
/** How long a process that has not saved its progress keeps a job. */
export const LEASE_MS = 10_000;

export const JOB_COLLECTION: CollectionSpec = {
  name: 'jobs',
  unique: [['project_id', 'slot']],
  indexes: [
    ['project_id', 'created_at'],
    ['state', 'lease_until'],
  ],
};

/** Returns a job in a state in which it does not run, and frees its slot. */
export function endedJob(
  { slot: _slot, ...job }: Job,
  change: Pick<JobFields, 'state' | 'updated_at'> & Partial<JobFields>,
): Job {
  return { ...job, lease_owner: '', lease_until: '', ...change };
}

export function toJobResponse(job: Job): JobResponse {
  const { id, metric_id, metric_name, state, reason, from, to, cursor, counts, created_at, updated_at } = job;
  const filters = job.filters.map(({ field, operator, type, value }) => ({
    ...{ field, operator, type },
    ...(value !== null && { value: typeof value === 'object' ? [...value] : value }),
  }));
  return {
    ...{ id, metric_id, metric_name, state, reason, filters },
    from: isoTimeOrNull(from),
    to: isoTime(to),
    position: isoTimeOrNull(cursor?.value ?? null),
    ...{ counts, created_at, updated_at },
  };
}

export function toEvaluationJob(job: Job): EvaluationJob {
  const { id: jobId, project_id: projectId, metric_id: metricId, filters, from, to, cursor, counts } = job;
  const createdAt = Date.parse(job.created_at);
  return { projectId, jobId, metricId, filters, from, to, createdAt, cursor, counts };
}

function isoTimeOrNull(time: number | null): string | null {
  return time === null ? null : isoTime(time);
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
