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
  projectEvent,
  toWireEvent,
  type Caller,
  type Event,
  type FilterInput,
} from '@assay/domain';
import { mapItems, mapPages, streamJson, type Operation, type RequestContext } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import { makeCompleteEvents } from '../sessions/complete-events.js';
import { acceptsLines, makeExportLines } from './export-lines.js';
import { makeReadParts } from './read-parts.js';
import { runFilter } from './search-events.js';
import { sentFilters } from './sent-filters.js';

/** Events per page when the request names no limit. */
const DEFAULT_LIMIT = 1000;
const checkRequest = compile(exportEventsRequest);

/**
 * Exports events in pages of up to 7,500, with all fields or the requested ones. Large events are read while they are
 * sent, a few megabytes at a time, so that the size of a page is not bounded. A failure breaks the response off.
 */
export function makeExportEvents(deps: DataPlaneDeps): Operation<typeof exportEvents> {
  const exportPage = makeExportPage(deps);
  return ({ body }, context) => exportPage(body, context);
}

/** Exports events, with the request in the query string. */
export function makeListEvents(deps: DataPlaneDeps): Operation<typeof listEvents> {
  const exportPage = makeExportPage(deps);
  return ({ query }, context) => exportPage(query, context);
}

function makeExportPage(deps: DataPlaneDeps) {
  const completeEvents = makeCompleteEvents(deps);
  const readParts = makeReadParts(deps);
  const exportLines = makeExportLines(deps);
  return function exportPage(sent: ExportEventsRequest, context: RequestContext<Caller>) {
    const { caller, waitMs } = context;
    const list = sentFilters(sent.filters, (filters) => checkRequest({ filters }).filters);
    const filters = acceptFilters(
      [...list.map(filterInput), ...runFilter(sent.evaluation_id ?? undefined)],
      'lenient',
    );
    const range = acceptDateRange(sent.dateRange ?? undefined, deps.now());
    const limit = Math.min(sent.limit ?? DEFAULT_LIMIT, EXPORT_LIMIT);
    const offset = ((sent.page ?? 1) - 1) * limit;
    if (acceptsLines(context.headers)) return exportLines(sent, { filters, ...range }, context);
    return respondAfterWait(deps, waitMs, async () => {
      const query = { filters, ...range, limit, offset, ordered: sent.ignore_order !== true };
      const { signal } = context;
      const options = { signal, withDerived: true };
      const { unread, total, ...first } = await deps.store.startPage(caller.projectId, query, options);
      const project = { name: caller.projectName };
      const exported = (event: Event) => projectEvent(toWireEvent(event, project), sent.projections ?? []);
      const events =
        unread.length === 0
          ? mapItems(await completeEvents(caller.projectId, first, { signal }), exported)
          : mapPages(readParts(caller.projectId, unread, signal), exported);
      return streamJson<ResponseOf<typeof exportEvents>>({ events, count: total, totalEvents: total });
    });
  };
}

type SentFilter = Exclude<NonNullable<ExportEventsRequest['filters']>, string>[number];

/** A null operator or type means absent; a null value is a value. */
function filterInput({ field, operator, value, type }: SentFilter): FilterInput {
  return { field, operator: operator ?? undefined, value, type: type ?? undefined };
}
