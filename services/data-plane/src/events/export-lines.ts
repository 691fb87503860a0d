import type { IncomingHttpHeaders } from 'node:http';
import type { ExportEventsRequest } from '@assay/contracts';
import { NEWEST_FIRST, projectEvent, toWireEvent, type Caller, type Event } from '@assay/domain';
import { unavailable, validationError } from '@assay/errors';
import { unreadEvent, type EventQuery, type EventRowsQuery } from '@assay/event-store';
import { LineStream, mapPages, type RequestContext } from '@assay/http';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { membersOfNamedRun } from '../shared/run-members.js';
import { readAhead } from './read-ahead.js';
import { makeReadParts } from './read-parts.js';

/** Events of one page of keys. */
const PAGE_SIZE = 500;

type Matching = Pick<EventQuery, 'filters' | 'from' | 'to' | 'runs'>;

/** Returns whether the client asks for one event per line. */
export function acceptsLines({ accept = '' }: IncomingHttpHeaders): boolean {
  return /(?:^|,)\s*application\/(?:x-)?ndjson\s*(?:;|,|$)/i.test(accept);
}

/**
 * Exports all matching events, newest first, one per line. Events are read while they are sent, a few megabytes at a
 * time and one part ahead, so that neither their number nor their size is bounded. A failure breaks the response off.
 */
export function makeExportLines(deps: DataPlaneDeps) {
  const readPages = makeReadPages(deps);
  return function exportLines(
    { page, limit, projections, evaluation_id: runId }: ExportEventsRequest,
    conditions: Matching,
    { caller, waitMs, signal }: RequestContext<Caller>,
  ) {
    if ((page ?? 1) > 1) throw validationError('page is for JSON responses: lines contain all events');
    const project = { name: caller.projectName };
    const toLine = (event: Event) => projectEvent(toWireEvent(event, project), projections ?? []);
    return respondAfterWait(deps, waitMs, async () => {
      const matching = { ...conditions, runs: await membersOfNamedRun(deps, caller.projectId, runId) };
      const read = (ended: AbortSignal) =>
        readPages(caller.projectId, matching, { limit: limit ?? Infinity, signal: ended });
      return new LineStream(mapPages(readAhead(read, signal), toLine));
    });
  };
}

function makeReadPages(deps: DataPlaneDeps) {
  const readParts = makeReadParts(deps);
  return async function* readPages(
    projectId: string,
    matching: Matching,
    { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
  ): AsyncGenerator<readonly Event[]> {
    const areDense = matching.filters.length === 0 && matching.runs === undefined;
    let left = limit;
    let after: EventRowsQuery['after'];
    while (left > 0) {
      const query = { ...KEYS_ONLY, ...matching, ...(after && { after }), limit: Math.min(left, PAGE_SIZE) };
      const { rows, hasMore } = await deps.store.events.rows(projectId, query, { signal });
      yield* readParts(projectId, rows.map(unreadEvent), { signal, areDense });
      if (!hasMore) return;
      after = rows.at(-1)?.position;
      if (after === undefined) throw unavailable('the events have changed while they were read');
      left -= rows.length;
    }
  };
}

const KEYS_ONLY = { sort: NEWEST_FIRST, previewChars: 0, payloadPaths: [], count: 'none' } as const;
