import type { IncomingHttpHeaders } from 'node:http';
import type { ExportEventsRequest } from '@assay/contracts';
import { NEWEST_FIRST, projectEvent, toWireEvent, type Caller, type Event } from '@assay/domain';
import { unavailable, validationError } from '@assay/errors';
import type { EventQuery, EventRowRead, EventRowsQuery } from '@assay/event-store';
import { LineStream, mapPages, type RequestContext } from '@assay/http';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import { makeCompleteEvents } from '../sessions/complete-events.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

/** Events of one page of keys. */
const PAGE_SIZE = 500;
/** Bytes of payloads that are read at a time, unless one event is larger. */
const MAX_READ_BYTES = 16 * 1024 ** 2;

type Matching = Pick<EventQuery, 'filters' | 'from' | 'to'>;

/** Returns whether the client asks for one event per line. */
export function acceptsLines({ accept = '' }: IncomingHttpHeaders): boolean {
  return /(?:^|,)\s*application\/(?:x-)?ndjson\s*(?:;|,|$)/i.test(accept);
}

/**
 * Exports all matching events, newest first, one per line. Events are read while they are sent, a few megabytes at a
 * time, so that neither their number nor their size is bounded. A failure breaks the response off.
 */
export function makeExportLines(deps: DataPlaneDeps) {
  const readPages = makeReadPages(deps);
  return function exportLines(
    { page, limit, projections }: ExportEventsRequest,
    matching: Matching,
    { caller, waitMs, signal }: RequestContext<Caller>,
  ) {
    if ((page ?? 1) > 1) throw validationError('page is for JSON responses: lines contain all events');
    const project = { name: caller.projectName };
    const pages = readPages(caller.projectId, matching, { limit: limit ?? Infinity, signal });
    const toLine = (event: Event) => projectEvent(toWireEvent(event, project), projections ?? []);
    return respondAfterWait(deps, waitMs, () => Promise.resolve(new LineStream(mapPages(pages, toLine))));
  };
}

function makeReadPages(deps: DataPlaneDeps) {
  const completeEvents = makeCompleteEvents(deps);
  return async function* readPages(
    projectId: string,
    matching: Matching,
    { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
  ): AsyncGenerator<readonly Event[]> {
    let left = limit;
    let after: EventRowsQuery['after'];
    while (left > 0) {
      const query = { ...KEYS_ONLY, ...matching, ...(after && { after }), limit: Math.min(left, PAGE_SIZE) };
      const { rows, hasMore } = await deps.store.eventRows(projectId, query, { signal });
      for (const group of groupsBySize(rows))
        yield completeEvents(projectId, await readEvents(deps, projectId, group, signal), { signal });
      if (!hasMore) return;
      after = rows.at(-1)?.position;
      if (after === undefined) throw unavailable('the events have changed while they were read');
      left -= rows.length;
    }
  };
}

const KEYS_ONLY = { sort: NEWEST_FIRST, previewChars: 0, payloadPaths: [], count: 'none' } as const;

/** Reads whole events in the order of their rows; those that were deleted meanwhile are absent. */
async function readEvents(
  { store }: DataPlaneDeps,
  projectId: string,
  rows: readonly EventRowRead[],
  signal: AbortSignal,
): Promise<Event[]> {
  const starts = rows.map(({ event }) => event.start_time);
  const value = rows.map(({ event }) => event.event_id);
  const query = {
    filters: [{ field: 'event_id', operator: 'in', type: 'string', value }] as const,
    from: Math.min(...starts),
    to: Math.max(...starts),
    limit: rows.length,
    offset: 0,
    ordered: false,
  };
  const { events } = await store.search(projectId, query, { signal });
  const byId = new Map(events.map((event) => [event.event_id, event]));
  return value.flatMap((id) => byId.get(id) ?? []);
}

/** Splits rows so that the payloads of each group fit into memory. */
function* groupsBySize(rows: readonly EventRowRead[]): Generator<readonly EventRowRead[]> {
  let group: EventRowRead[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (group.length > 0 && bytes + row.payloadBytes > MAX_READ_BYTES) {
      yield group;
      [group, bytes] = [[], 0];
    }
    group.push(row);
    bytes += row.payloadBytes;
  }
  if (group.length > 0) yield group;
}
