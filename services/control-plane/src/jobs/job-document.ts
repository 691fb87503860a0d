import type { JobResponse } from '@assay/contracts';
import type {
  BackfillJob,
  EvaluationJob,
  EventPosition,
  Filter,
  JobCounts,
  JobKind,
  JobState,
  StoredEventsJob,
} from '@assay/domain';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import type { ProjectOwned } from '../shared/project-scoped-collection.js';

/** A job that reads stored events. It holds filters and positions, and no values of events. */
export interface JobFields extends ProjectOwned {
  /** The metric of an evaluation; null for a backfill. */
  readonly metric_id: string | null;
  readonly metric_name: string | null;
  /** The queue of a backfill; absent for an evaluation. */
  readonly queue_id?: string;
  readonly filters: readonly Filter[];
  /** Bounds of `start_time`, Unix milliseconds. */
  readonly from: number | null;
  readonly to: number;
  readonly state: JobState;
  readonly reason: string | null;
  /** One of {@link slotsOf}, unique in the project while the job runs; absent afterwards. */
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

/** Jobs of a kind that run or wait at a time in a project. */
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

export function kindOf({ queue_id }: Pick<JobFields, 'queue_id'>): JobKind {
  return queue_id === undefined ? 'evaluation' : 'backfill';
}

/** Returns the slots of the jobs of a kind, so that those of one do not keep the other from starting. */
export function slotsOf(kind: JobKind): readonly number[] {
  const first = kind === 'evaluation' ? 0 : MAX_RUNNING_JOBS;
  return Array.from({ length: MAX_RUNNING_JOBS }, (_, index) => first + index);
}

/** Returns the fields of a job that a process has for the time of a lease. */
export function leasedBy(lease_owner: string, now: Date): Pick<JobFields, 'lease_owner' | 'lease_until'> {
  return { lease_owner, lease_until: new Date(now.getTime() + LEASE_MS).toISOString() };
}

/** Fields of a job that no process has. */
export const NOT_LEASED = { lease_owner: '', lease_until: '' };

/** Returns a job in a state in which it does not run, and frees its slot. */
export function endedJob(
  { slot: _slot, ...job }: Job,
  change: Pick<JobFields, 'state' | 'updated_at'> & Partial<JobFields>,
): Job {
  return { ...job, ...NOT_LEASED, ...change };
}

export function toJobResponse(job: Job): JobResponse {
  const { id, metric_id, metric_name, queue_id = null, state, reason, from, to } = job;
  const { cursor, counts, created_at, updated_at } = job;
  const filters = job.filters.map(({ field, operator, type, value }) => ({
    ...{ field, operator, type },
    ...(value !== null && { value: typeof value === 'object' ? [...value] : value }),
  }));
  return {
    ...{ id, kind: kindOf(job), metric_id, metric_name, queue_id, state, reason, filters },
    from: isoTimeOrNull(from),
    to: isoTime(to),
    position: isoTimeOrNull(cursor?.value ?? null),
    ...{ counts, created_at, updated_at },
  };
}

/** Returns the job in the format of the internal API; undefined for another kind. */
export function toEvaluationJob(job: Job): EvaluationJob | undefined {
  const { metric_id: metricId } = job;
  return metricId === null ? undefined : { ...toStoredEventsJob(job), metricId };
}

/** Returns the job in the format of the internal API; undefined for another kind. */
export function toBackfillJob(job: Job): BackfillJob | undefined {
  const { queue_id: queueId } = job;
  return queueId === undefined ? undefined : { ...toStoredEventsJob(job), queueId };
}

function toStoredEventsJob(job: Job): StoredEventsJob {
  const { id: jobId, project_id: projectId, filters, from, to, cursor, counts } = job;
  const createdAt = Date.parse(job.created_at);
  return { projectId, jobId, filters, from, to, createdAt, cursor, counts };
}

function isoTimeOrNull(time: number | null): string | null {
  return time === null ? null : isoTime(time);
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
