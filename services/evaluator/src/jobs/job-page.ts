import { encodeEvaluationRequest } from '@assay/contracts';
import {
  acceptFilters,
  awaitsQuiet,
  NEWEST_FIRST,
  type DeployedMetric,
  type Evaluation,
  type EvaluationDecision,
  type EvaluationJob,
  type JobCounts,
} from '@assay/domain';
import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '@assay/errors';
import type { EventLog, LogPosition } from '@assay/event-log';
import type { EventKey, EventRowsQuery, EventsPort, StatesPort } from '@assay/event-store';
import { EVALUATE_GROUP, eventKey, hasPassed, type Freshness } from '@assay/log-readers';

export interface JobPageDeps {
  readonly log: Pick<EventLog, 'append' | 'end' | 'position'>;
  readonly store: { readonly events: EventsPort; readonly states: StatesPort };
  readonly waitUntilStored: (target: LogPosition, maxWaitMs: number) => Promise<Freshness>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** What the work on a page needs besides the job. */
export interface PageContext {
  readonly metric: DeployedMetric;
  readonly signal: AbortSignal;
  /** Called often while the page waits. @throws when the job has ended */
  readonly beat: () => Promise<void>;
}

export interface PageResult {
  readonly job: EvaluationJob;
  readonly isLast: boolean;
}

/** Events of a page: what a job has asked for and is not complete. */
const PAGE_SIZE = 200;
const POLL_INTERVAL_MS = 200;
const MAX_WAIT_MS = 10_000;

/**
 * Evaluates the next page of a job: asks on the log for the evaluation of its events, which the process that decides about
 * each event takes from there, and waits until all of them are complete. A page that is repeated asks again, and leads to
 * no further evaluation.
 * @throws AppError `UNAVAILABLE`, `OVERLOADED`, `VALIDATION_ERROR` when the events cannot be searched
 */
export async function runJobPage(
  deps: JobPageDeps,
  job: EvaluationJob,
  context: PageContext,
): Promise<PageResult> {
  const { projectId, metricId, jobId, createdAt } = job;
  const { signal } = context;
  const { rows, hasMore } = await deps.store.events.rows(projectId, queryOf(job, context.metric), { signal });
  const keys = rows.map(({ position }): EventKey => ({ projectId, eventId: position.eventId }));
  const request = { metricId, jobId, since: createdAt };
  await deps.log.append(keys.map((key) => encodeEvaluationRequest(key, request)));
  if (keys.length > 0) await untilDecided(deps, context);
  const ended = await untilComplete(deps, { ...context, job, keys });
  const cursor = rows.at(-1)?.position ?? job.cursor;
  return { job: { ...job, cursor, counts: added(job, ended, keys.length) }, isLast: !hasMore };
}

function queryOf({ filters, from, to, cursor }: EvaluationJob, metric: DeployedMetric): EventRowsQuery {
  return {
    filters: [...acceptFilters(metric.filters.filterArray, 'stored'), ...filters],
    ...(from !== null && { from }),
    to,
    sort: NEWEST_FIRST,
    ...(cursor !== null && { after: cursor }),
    limit: PAGE_SIZE,
    previewChars: 0,
    payloadPaths: [],
    count: 'none',
  };
}

/** Waits until the `evaluate` group has passed the requests, and its decisions are stored. */
async function untilDecided(deps: JobPageDeps, { beat, signal }: PageContext): Promise<void> {
  const target = await deps.log.end();
  while (!hasPassed(await deps.log.position(EVALUATE_GROUP), target)) {
    await beat();
    await delay(POLL_INTERVAL_MS, undefined, { signal });
  }
  const { current } = await deps.waitUntilStored(await deps.log.end(), MAX_WAIT_MS);
  if (!current) throw unavailable('the decisions are not stored yet');
}

type Page = PageContext & { readonly job: EvaluationJob; readonly keys: readonly EventKey[] };

/** Waits until no evaluation of the page is pending but those of sessions that are not quiet, which do not match now. Returns the newest ones by the metric. */
async function untilComplete(deps: JobPageDeps, { job, keys, beat, signal }: Page): Promise<Evaluation[]> {
  for (;;) {
    const found = await deps.store.states.evaluations(keys, 'toDecide');
    const newest = keys.flatMap((key) => newestOf(found.get(eventKey(key)) ?? [], job.metricId));
    const pending = newest.filter(({ decision }) => decision === 'pending');
    if (pending.every(awaitsQuiet)) return newest;
    await beat();
    await delay(POLL_INTERVAL_MS, undefined, { signal });
  }
}

function newestOf(evaluations: readonly Evaluation[], metricId: string): Evaluation[] {
  const [newest] = evaluations
    .filter((evaluation) => evaluation.metricId === metricId)
    .sort((one, other) => other.trigger - one.trigger || rankOf(one) - rankOf(other));
  return newest ? [newest] : [];
}

/** One by a version that was deployed meanwhile has the trigger of the one that it replaces, which ended as `disabled`. */
function rankOf({ decision }: Evaluation): number {
  return decision === 'disabled' ? 1 : 0;
}

/** What the job has not asked for is not its work. Without job ids, of an earlier release, times say so. */
function isOwn({ jobId, decidedAt }: Evaluation, job: EvaluationJob): boolean {
  return jobId === undefined ? decidedAt >= job.createdAt : jobId === job.jobId;
}

const FAILURES: ReadonlySet<EvaluationDecision> = new Set(['error', 'timeout', 'not_decided']);

function added(job: EvaluationJob, ended: readonly Evaluation[], events: number): JobCounts {
  const { counts } = job;
  const own = ended.filter((evaluation) => isOwn(evaluation, job));
  const scored = own.filter(({ decision }) => decision === 'scored').length;
  const failed = own.filter(({ decision }) => FAILURES.has(decision)).length;
  return {
    events: counts.events + events,
    scored: counts.scored + scored,
    failed: counts.failed + failed,
    skipped: counts.skipped + events - scored - failed,
  };
}
