import type { ResponseOf, ListRunsQuery, listRuns as route, RunSort } from '@assay/contracts';
import { acceptDateRange, canonicalUuid } from '@assay/domain';
import type { Condition } from '@assay/document-store';
import type { OperationContext } from '../shared/operation-context.js';
import { nameKey } from './run-document.js';
import { type RunDeps, RunRepository } from './run-repository.js';

const DEFAULT_LIMIT = 20;
const MAX_RUNS = 100;

/** The last moment that sorts as text. */
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

const SORT_FIELDS: Readonly<Record<RunSort, string>> = {
  created_at: 'created_at',
  updated_at: 'updated_at',
  name: 'name_key',
  status: 'status',
};

/** A page of the runs that match every filter. @throws AppError `VALIDATION_ERROR` for a date range that cannot be read */
export function makeListRuns(deps: RunDeps) {
  return async function listRuns(
    { query }: { query: ListRunsQuery },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const runs = new RunRepository(deps, caller.projectId);
    const {
      page = 1,
      limit = query.run_ids ? MAX_RUNS : DEFAULT_LIMIT,
      sort_by = 'created_at',
      sort_order = 'desc',
    } = query;
    const { equals, where } = selection(query, deps.now());
    const order = {
      orderBy: SORT_FIELDS[sort_by],
      descending: sort_order === 'desc',
      offset: (page - 1) * limit,
    };
    const isFiltered = where.length + Object.keys(equals).length > 0;
    const [found, total_unfiltered, filtered] = await Promise.all([
      runs.collection.page({ equals, where, ...order }, limit),
      runs.collection.count(),
      isFiltered ? runs.collection.count(equals, where) : undefined,
    ]);
    const total = filtered ?? total_unfiltered;
    const total_pages = Math.ceil(total / limit);
    const evaluations = await runs.answered(found);
    const pagination = {
      page,
      limit,
      total,
      total_unfiltered,
      total_pages,
      has_next: page < total_pages,
      has_prev: page > 1,
    };
    return {
      evaluations,
      metrics: [...new Set(evaluations.flatMap(({ metrics }) => Object.keys(metrics)))].sort(),
      pagination,
    };
  };
}

interface Selection {
  readonly equals: Readonly<Record<string, string>> & { readonly project_id?: never };
  readonly where: readonly Condition[];
}

/** Dataset and status have indexes in every order; the others are conditions on the runs that these leave. */
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
    all.push({ field: 'created_at', from: moment(from), to: moment(to) });
  if (name !== undefined) all.push({ field: 'name_key', containsAny: [nameKey(name.trim())] });
  if (run_ids) all.push({ field: 'run_id', in: run_ids.map(canonicalUuid) });
  return all;
}

function moment(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(Math.min(ms, LAST_MOMENT)).toISOString();
}
