import {
  EXPORT_LIMIT,
  compile,
  exportEventsRequest,
  type exportEvents,
  type ExportEventsRequest,
  type listEvents,
  type ResponseOf,
} from '@assay/contracts';
import {
  acceptDateRange,
  acceptFilters,
  parseStoredEvent,
  projectEvent,
  toWireEvent,
  wireEventTexts,
  type Caller,
  type Event,
  type FilterInput,
  type StoredEvent,
} from '@assay/domain';
import {
  EncodedJson,
  mapPages,
  streamJson,
  type Operation,
  type Pages,
  type RequestContext,
  type StreamOptions,
} from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import { acceptsLines, makeExportLines } from './export-lines.js';
import { membersOfNamedRun } from '../shared/run-members.js';
import { makeCompletePage } from './complete-page.js';
import { HeldPages } from './held-pages.js';
import { readAhead } from './read-ahead.js';
import { makeReadParts } from './read-parts.js';
import { sentFilters } from './sent-filters.js';

/** Events per page when the request names no limit. */
const DEFAULT_LIMIT = 1000;
const checkRequest = compile(exportEventsRequest);

/**
 * Exports events in pages of up to 7,500, with all fields or the requested ones. The first events of a large page are sent
 * while the others are read. Large events are read while they are sent, a few megabytes at a time and one part ahead, so that
 * the size of a page is not bounded. A failure breaks the response off once a part of it was sent.
 */
export function makeExportEvents(
  deps: DataPlaneDeps,
  heldPages = new HeldPages(),
): Operation<typeof exportEvents> {
  const exportPage = makeExportPage(deps, heldPages);
  return ({ body }, context) => exportPage(body, context);
}

/** Exports events, with the request in the query string. */
export function makeListEvents(
  deps: DataPlaneDeps,
  heldPages = new HeldPages(),
): Operation<typeof listEvents> {
  const exportPage = makeExportPage(deps, heldPages);
  return ({ query }, context) => exportPage(query, context);
}

function makeExportPage(deps: DataPlaneDeps, heldPages: HeldPages) {
  const completePage = makeCompletePage(deps);
  const readParts = makeReadParts(deps);
  const exportLines = makeExportLines(deps);
  return function exportPage(sent: ExportEventsRequest, context: RequestContext<Caller>) {
    const { caller, waitMs } = context;
    const list = sentFilters(sent.filters, (filters) => checkRequest({ filters }).filters);
    const filters = acceptFilters(list.map(filterInput), 'lenient');
    const range = acceptDateRange(sent.dateRange ?? undefined, deps.now());
    const limit = Math.min(sent.limit ?? DEFAULT_LIMIT, EXPORT_LIMIT);
    const offset = ((sent.page ?? 1) - 1) * limit;
    if (acceptsLines(context.headers)) return exportLines(sent, { filters, ...range }, context);
    return respondAfterWait(deps, waitMs, async () => {
      const runs = await membersOfNamedRun(deps, caller.projectId, sent.evaluation_id);
      const query = { filters, ...range, runs, limit, offset, ordered: sent.ignore_order !== true };
      const { signal } = context;
      const maxHeldBytes = () => heldPages.maxBytes(caller.projectId);
      const options = { signal, withDerived: true, maxHeldBytes };
      const page = await deps.store.events.startPage(caller.projectId, query, options);
      const { unread, total } = page;
      const areDense = query.ordered && filters.length === 0 && runs === undefined;
      const read = (ended: AbortSignal) => readParts(caller.projectId, unread, { signal: ended, areDense });
      const exportedAs = exporter({ name: caller.projectName }, sent.projections ?? []);
      const respond = (events: Pages<Exported>, options?: StreamOptions) =>
        streamJson<ResponseOf<typeof exportEvents>>({ events, count: total, totalEvents: total }, options);
      if (unread.length > 0) return respond(mapPages(readAhead(read, signal), exportedAs.event));
      const release = heldPages.hold(caller.projectId);
      try {
        return respond(await completePage(caller.projectId, page, exportedAs, { signal }), { release });
      } catch (error) {
        release();
        throw error;
      }
    });
  };
}

type Exported = ResponseOf<typeof exportEvents>['events'][number] | EncodedJson;

/** Returns how events are written. Those that are stored as texts are copied if all of their fields were asked for. */
function exporter(project: { readonly name: string }, projections: readonly string[]) {
  const event = (one: Event) => projectEvent(toWireEvent(one, project), projections);
  const stored = (one: StoredEvent) =>
    projections.length === 0 ? new EncodedJson(wireEventTexts(one, project)) : event(parseStoredEvent(one));
  return { event, stored };
}

type SentFilter = Exclude<NonNullable<ExportEventsRequest['filters']>, string>[number];

/** A null operator or type means absent; a null value is a value. */
function filterInput({ field, operator, value, type }: SentFilter): FilterInput {
  return { field, operator: operator ?? undefined, value, type: type ?? undefined };
}
