import type { ResponseOf, ListRunsQuery, listRuns as route, RunResponse, RunSort } from '@assay/contracts';
import { acceptDateRange, canonicalUuid } from '@assay/domain';
import type { Condition } from '@assay/document-store';
import { streamJson, type JsonStream } from '@assay/http';
import type { OperationContext } from '../shared/operation-context.js';
import { nameKey, type Run } from './run-document.js';
import { type RunDeps, RunRepository } from './run-repository.js';

const DEFAULT_LIMIT = 20;
const MAX_RUNS = 100;

/** Latest time whose ISO 8601 text sorts correctly. */
const LATEST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

const SORT_FIELDS: Readonly<Record<RunSort, string>> = {
  created_at: 'created_at',
  updated_at: 'updated_at',
  name: 'name_key',
  status: 'status',
};

/**
 * Lists a page of the runs that match every filter, without their scores, which the data plane adds. @throws AppError
 * `VALIDATION_ERROR` for an invalid date range
 */
export function makeListRuns(deps: RunDeps) {
  return async function listRuns(
    { query }: { query: ListRunsQuery },
    { caller }: OperationContext,
  ): Promise<JsonStream<ResponseOf<typeof route>>> {
    const runs = new RunRepository(deps, caller.projectId);
    const { pages, pagination } = await findRuns(runs, query, deps.now());
    const evaluations = responses(runs, pages);
    return streamJson<ResponseOf<typeof route>>({ evaluations, metrics: [], pagination });
  };
}

/** Finds a page of runs. Its documents are read while the caller consumes them. @throws AppError `VALIDATION_ERROR` */
export async function findRuns(runs: RunRepository, query: ListRunsQuery, now: Date) {
  const {
    page = 1,
    limit = query.run_ids ? MAX_RUNS : DEFAULT_LIMIT,
    sort_by = 'created_at',
    sort_order = 'desc',
  } = query;
  const { equals, where } = selection(query, now);
  const order = {
    orderBy: SORT_FIELDS[sort_by],
    descending: sort_order === 'desc',
    offset: (page - 1) * limit,
  };
  const isFiltered = where.length + Object.keys(equals).length > 0;
  const [total_unfiltered, filtered] = await Promise.all([
    runs.collection.count(),
    isFiltered ? runs.collection.count(equals, where) : undefined,
  ]);
  const total = filtered ?? total_unfiltered;
  const total_pages = Math.ceil(total / limit);
  const pagination = {
    page,
    limit,
    total,
    total_unfiltered,
    total_pages,
    has_next: page < total_pages,
    has_prev: page > 1,
  };
  return { pages: runs.collection.pages({ equals, where, ...order }, limit), pagination };
}

async function* responses(
  runs: RunRepository,
  pages: AsyncIterable<readonly Run[]>,
): AsyncGenerator<RunResponse[]> {
  for await (const page of pages) yield runs.toResponses(page);
}

interface Selection {
  readonly equals: Readonly<Record<string, string>> & { readonly project_id?: never };
  readonly where: readonly Condition[];
}

/** Dataset and status are indexed in every order. The other filters are conditions on the remaining runs. */
function selection(query: ListRunsQuery, now: Date): Selection {
  const { dataset_id, status } = query;
  const equals = {
    ...(dataset_id !== undefined && { dataset_key: dataset_id }),
    ...(status !== undefined && { status }),
  };
  return { equals, where: conditions(query, now) };
}

function conditions({ name, run_ids, dateRange }: ListRunsQuery, now: Date): Condition[] {
  const { from, to } = acceptDateRange(dateRange, now.getTime());
  const all: Condition[] = [];
  if (from !== undefined || to !== undefined)
    all.push({ field: 'created_at', from: toTimestamp(from), to: toTimestamp(to) });
  if (name !== undefined) {
    // Runs of earlier releases keep a sigma as lower case writes it at the end of a word.
    const keys = [nameKey(name.trim()), name.trim().toLowerCase()];
    all.push({ field: 'name_key', containsAny: [...new Set(keys)] });
  }
  if (run_ids) all.push({ field: 'run_id', in: run_ids.map(canonicalUuid) });
  return all;
}

function toTimestamp(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(Math.min(ms, LATEST_TIME)).toISOString();
}
