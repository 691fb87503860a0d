import {
  compareRunDatapoints,
  compile,
  DEFAULT_COMPARED_DATAPOINTS,
  DEFAULT_PREVIEW_CHARS,
  type CompareRunDatapointsRequest,
  type ResponseOf,
} from '@assay/contracts';
import {
  acceptFilters,
  compareDatapoints,
  countDatapoints,
  cursorError,
  readCursor,
  selectDatapoints,
  writeCursor,
  type ComparedDatapoint,
  type Filter,
} from '@assay/domain';
import type { Operation } from '@assay/http';
import { runCooperatively } from '@assay/runtime';
import { sentFilters } from '../events/sent-filters.js';
import { respondWhenCurrent } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeToDatapointRows } from './datapoint-rows.js';
import { loadRuns } from './load-runs.js';
import { readEvaluatedRuns } from './read-evaluated-runs.js';

type Request = CompareRunDatapointsRequest;
type Response = ResponseOf<typeof compareRunDatapoints>;

const checkRequest = compile(compareRunDatapoints.body!);

/** Compares two runs datapoint by datapoint. Events are read only for the datapoints of the page. */
export function makeCompareRunDatapoints(deps: DataPlaneDeps): Operation<typeof compareRunDatapoints> {
  const toRows = makeToDatapointRows(deps);
  return ({ params, body }, { caller, waitMs, signal, yieldToEventLoop }) => {
    const filters = filtersOf(body);
    const kind = cursorKind(body);
    const after = body.cursor === undefined ? undefined : readPosition(kind, body.cursor);
    const { limit = DEFAULT_COMPARED_DATAPOINTS, preview_chars: previewChars = DEFAULT_PREVIEW_CHARS } = body;
    return respondWhenCurrent(
      deps,
      waitMs,
      () => loadRuns(deps, caller.projectId, [params.old_run_id, params.new_run_id]),
      async (loaded): Promise<Response> => {
        const [oldRun, newRun] = await readEvaluatedRuns(deps, loaded, { filters }, { signal });
        if (!oldRun || !newRun) throw new Error('expected the events of two runs');
        const steps = compareDatapoints({
          oldSessions: oldRun.sessions,
          newSessions: newRun.sessions,
          oldEvaluations: oldRun.evaluations,
          newEvaluations: newRun.evaluations,
          rules: newRun.rules,
          ...(body.metric !== undefined && { metric: body.metric }),
          sort: body.sort ?? 'loss',
        });
        const all = await runCooperatively(steps, () => {
          signal.throwIfAborted();
          return yieldToEventLoop();
        });
        const selected = selectDatapoints(rowsAfter(all, after), body.only ?? []);
        const page = selected.slice(0, limit);
        const last = selected.length > limit ? page.at(-1) : undefined;
        return {
          rows: await toRows(page, { caller, previewChars }, { signal }),
          counts: countDatapoints(all),
          next_cursor: last ? writeCursor(kind, positionAt(all, last)) : null,
        };
      },
    );
  };
}

function filtersOf({ filters, event_name }: Request): Filter[] {
  const sent = sentFilters(filters, (list) => checkRequest({ filters: list }).filters);
  const named = event_name === undefined ? [] : [{ field: 'event_name', operator: 'is', value: event_name }];
  return [...acceptFilters(sent, 'strict'), ...acceptFilters(named, 'strict')];
}

/** A cursor is of one order only: by metric, event name and sort. */
function cursorKind({ metric, event_name: eventName, sort = 'loss' }: Request): string {
  return `datapoints ${JSON.stringify([metric ?? null, eventName ?? null, sort])}`;
}

/** The last datapoint of a page, and the number of datapoints up to it. */
interface Position {
  readonly datapointId: string;
  readonly count: number;
}

function readPosition(kind: string, cursor: string): Position {
  const [datapointId, count, ...rest] = readCursor(kind, cursor);
  const isPosition = typeof datapointId === 'string' && Number.isSafeInteger(count) && Number(count) > 0;
  if (!isPosition || rest.length > 0) throw cursorError();
  return { datapointId, count: Number(count) };
}

function positionAt(
  rows: readonly ComparedDatapoint[],
  { datapointId }: ComparedDatapoint,
): [string, number] {
  return [datapointId, rows.findIndex((row) => row.datapointId === datapointId) + 1];
}

/** The rows after a datapoint, or after as many rows when it was deleted since. */
function rowsAfter(
  rows: readonly ComparedDatapoint[],
  after: Position | undefined,
): readonly ComparedDatapoint[] {
  if (after === undefined) return rows;
  const index = rows.findIndex(({ datapointId }) => datapointId === after.datapointId);
  return rows.slice(index < 0 ? after.count : index + 1);
}
