import type { JobPage } from '@assay/control-plane-client';
import {
  BatchWork,
  decidesOnStored,
  filterMatcher,
  inSteps,
  NEWEST_FIRST,
  redactEvent,
  type BackfillJob,
  type Event,
  type Filter,
  type Redaction,
} from '@assay/domain';
import { AppError } from '@assay/errors';
import type { EventsPort, StatesPort } from '@assay/event-store';
import { eventKey, splitBySize } from '@assay/log-readers';
import type { Steps } from '@assay/runtime';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

export interface BackfillDeps extends Pick<DataPlaneDeps, 'redaction'> {
  readonly store: { readonly events: EventsPort; readonly states: StatesPort };
  readonly controlPlane: Pick<DataPlaneDeps['controlPlane'], 'addToQueue'>;
}

export interface BackfillContext {
  readonly signal: AbortSignal;
  /** Called between two parts of a page. */
  readonly beat?: () => Promise<void>;
  readonly runInTurns: <T>(steps: Steps<T>) => Promise<T>;
  readonly pageSize?: number;
}

const PAGE_SIZE = 250;

/**
 * Adds the events of the next page of a backfill to its queue. Filters are evaluated on the redacted event, so that
 * they reveal no more about a value than forwarding does; the store evaluates only those that decide on stored events
 * without revealing a value. A page that is repeated adds nothing.
 * @throws AppError `UNAVAILABLE`, `VALIDATION_ERROR` when the events cannot be searched
 */
export async function runBackfillPage(
  deps: BackfillDeps,
  job: BackfillJob,
  context: BackfillContext,
): Promise<JobPage<BackfillJob>> {
  const { projectId, queueId, filters, from, to, cursor, counts } = job;
  const { signal, pageSize = PAGE_SIZE } = context;
  const query = {
    filters: filters.filter((filter) => decidesOnStored(filter, deps.redaction)),
    ...(from !== null && { from }),
    to,
    ...{ sort: NEWEST_FIRST, limit: pageSize, previewChars: 0, payloadPaths: [], count: 'none' as const },
    ...(cursor !== null && { after: cursor }),
  };
  const { rows, hasMore } = await deps.store.events.rows(projectId, query, { signal });
  const items = rows.map(({ position }) => ({ projectId, eventId: position.eventId }));
  const work = new BatchWork();
  let { matched = 0, not_decided = 0 } = counts;
  for (const part of await splitBySize(deps.store.states, { items, toLoad: (key) => key })) {
    await context.beat?.();
    const states = await deps.store.states.read(part, { signal });
    const events = part.flatMap((key) => {
      const { event, changes } = states.get(eventKey(key)) ?? {};
      return event && !changes?.deleted ? event : [];
    });
    const found = await context.runInTurns(matchingSteps(events, { filters, ...deps, work }));
    const { ids } = found;
    if (ids.length > 0 && !(await deps.controlPlane.addToQueue({ projectId, queueId }, ids, { signal })))
      return { job, end: { state: 'failed', reason: 'the queue was deleted' } };
    matched += ids.length;
    not_decided += found.notDecided;
  }
  const progress = { ...counts, events: counts.events + rows.length, matched, not_decided };
  const page = { ...job, cursor: rows.at(-1)?.position ?? cursor, counts: progress };
  return hasMore ? { job: page } : { job: page, end: { state: 'completed', reason: null } };
}

/** Returns the reason for which a backfill fails; undefined for an error after which the page is repeated. */
export function failureReason(error: unknown): string | undefined {
  const isFinal = error instanceof AppError && error.code === 'VALIDATION_ERROR';
  return isFinal ? 'the events cannot be searched, narrow the filters or the range' : undefined;
}

interface Matching {
  readonly filters: readonly Filter[];
  readonly redaction: Redaction;
  readonly work: BatchWork;
}

/** Returns the events that match, and how many there are of which that was not decided. */
function* matchingSteps(
  events: readonly Event[],
  { filters, redaction, work }: Matching,
): Steps<{ readonly ids: string[]; readonly notDecided: number }> {
  const matches = filterMatcher(filters);
  const ids: string[] = [];
  let notDecided = 0;
  for (const event of events) {
    const match = yield* inSteps(matches(redactEvent(event, redaction), work.forEvent()));
    if (match === 'matching') ids.push(event.event_id);
    if (match === 'not_decided') notDecided++;
    yield;
  }
  return { ids, notDecided };
}
