import { UUID_SHAPE, type CreateDatapointBatchRequest, type WireFilters } from '@assay/contracts';
import {
  acceptDateRange,
  acceptFilters,
  canonicalUuid,
  isUuid,
  type DateRange,
  type Filter,
  type FilterInput,
} from '@assay/domain';
import { validationError } from '@assay/errors';

/** Which events a request selects. */
export interface Selection {
  /** Named ids, without duplicates, in order. */
  readonly named: readonly string[];
  /** Ids that are excluded, even if named or matching. */
  readonly excluded: ReadonlySet<string>;
  /** Selects all matching events as well; absent: none. */
  readonly matching?: DateRange & { readonly filters: readonly Filter[] };
}

/**
 * Reads the selection of a request: the events of `events`, those that `checkState` includes, and with
 * `selectAll` all that match, without those that `checkState` excludes.
 * @throws AppError `VALIDATION_ERROR`, also when nothing is selected
 */
export function acceptSelection(body: CreateDatapointBatchRequest, now: number): Selection {
  const { events = [], checkState = {}, selectAll = false } = body;
  const checked = Object.entries(checkState).map(([id, isIncluded]) => [checkedId(id), isIncluded] as const);
  const excluded = new Set(checked.flatMap(([id, isIncluded]) => (isIncluded ? [] : [id])));
  const included = checked.flatMap(([id, isIncluded]) => (isIncluded ? [id] : []));
  const named = [...new Set([...events.map(canonicalUuid), ...included])].filter((id) => !excluded.has(id));
  const filters = acceptFilters(filterList(body.filters), 'lenient', 'filters');
  const range = acceptDateRange(body.dateRange, now);
  if (named.length === 0 && !selectAll)
    throw validationError('events, checkState or selectAll must select at least one event');
  return { named, excluded, ...(selectAll && { matching: { ...range, filters } }) };
}

function checkedId(id: string): string {
  if (!isUuid(id))
    throw validationError(`each name in checkState must be a valid UUID (expected format: ${UUID_SHAPE})`);
  return canonicalUuid(id);
}

function filterList(filters: WireFilters | undefined): readonly FilterInput[] {
  if (!filters) return [];
  if (Array.isArray(filters)) return filters;
  const { filterArray, field, ...rest } = filters;
  if (filterArray) return filterArray;
  if (field !== undefined) return [{ ...rest, field }];
  if (Object.keys(filters).length > 0)
    throw validationError('filters must be a list, a condition with a field, or an object with filterArray');
  return [];
}
