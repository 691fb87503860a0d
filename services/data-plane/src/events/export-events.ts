import { EXPORT_LIMIT, type exportEvents, type ExportEventsRequest, type listEvents } from '@assay/contracts';
import {
  acceptDateRange,
  acceptFilters,
  projectEvent,
  toWireEvent,
  type Caller,
  type FilterInput,
} from '@assay/domain';
import type { Operation } from '@assay/http';
import type { DataPlaneDeps } from '../data-plane-deps.js';
import { respondAfterWait } from '../readers/respond-after-wait.js';
import { makeCompleteEvents } from '../sessions/complete-events.js';
import { ofRun } from './run-filter.js';

/** Events per page when the request does not say. */
const DEFAULT_LIMIT = 1000;

/** Finds events in pages of up to 7,500, with all fields or those that are asked for. */
export function makeExportEvents(deps: DataPlaneDeps): Operation<typeof exportEvents> {
  const exportPage = makeExportPage(deps);
  return ({ body }, { caller, waitMs }) => exportPage(body, caller, waitMs);
}

/** The same by query string. */
export function makeListEvents(deps: DataPlaneDeps): Operation<typeof listEvents> {
  const exportPage = makeExportPage(deps);
  return ({ query }, { caller, waitMs }) => exportPage(query, caller, waitMs);
}

function makeExportPage(deps: DataPlaneDeps) {
  const completeEvents = makeCompleteEvents(deps);
  return function exportPage(sent: ExportEventsRequest, caller: Caller, waitMs: number | undefined) {
    const filters = acceptFilters(
      [...(sent.filters ?? []).map(filterInput), ...ofRun(sent.evaluation_id ?? undefined)],
      'lenient',
    );
    const range = acceptDateRange(sent.dateRange ?? undefined, deps.now());
    const limit = Math.min(sent.limit ?? DEFAULT_LIMIT, EXPORT_LIMIT);
    const offset = ((sent.page ?? 1) - 1) * limit;
    return respondAfterWait(deps, waitMs, async () => {
      const query = { filters, ...range, limit, offset, ordered: sent.ignore_order !== true };
      const found = await deps.store.search(caller.projectId, query);
      const events = await completeEvents(caller.projectId, found.events);
      const project = { name: caller.projectName };
      const chosen = events.map((event) => projectEvent(toWireEvent(event, project), sent.projections ?? []));
      return { events: chosen, count: found.total, totalEvents: found.total };
    });
  };
}

type SentFilter = NonNullable<ExportEventsRequest['filters']>[number];

/** Operator and type may be null for absent; a value of null says something. */
function filterInput({ field, operator, value, type }: SentFilter): FilterInput {
  return { field, operator: operator ?? undefined, value, type: type ?? undefined };
}
