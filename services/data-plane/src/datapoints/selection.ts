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

/** Which events a request chooses. */
export interface Selection {
  /** Ids that are named, each once, in order. */
  readonly named: readonly string[];
  /** Ids that are left out, whatever else says. */
  readonly excluded: ReadonlySet<string>;
  /** All events that match are chosen, too; absent: none. */
  readonly matching?: DateRange & { readonly filters: readonly Filter[] };
}

/**
 * Reads what a request chooses: the events of `events`, those that `checkState` takes, and with `selectAll` those that match, without those that
 * `checkState` leaves out.
 * @throws AppError `VALIDATION_ERROR`, also when nothing is chosen
 */
export function acceptSelection(body: CreateDatapointBatchRequest, now: number): Selection {
  const { events = [], checkState = {}, selectAll = false } = body;
  const checked = Object.entries(checkState).map(([id, isTaken]) => [checkedId(id), isTaken] as const);
  const excluded = new Set(checked.flatMap(([id, isTaken]) => (isTaken ? [] : [id])));
  const taken = checked.flatMap(([id, isTaken]) => (isTaken ? [id] : []));
  const named = [...new Set([...events.map(canonicalUuid), ...taken])].filter((id) => !excluded.has(id));
  const filters = acceptFilters(listed(body.filters), 'lenient', 'filters');
  const range = acceptDateRange(body.dateRange, now);
  if (named.length === 0 && !selectAll)
    throw validationError('events, checkState or selectAll must choose at least one event');
  return { named, excluded, ...(selectAll && { matching: { ...range, filters } }) };
}

function checkedId(id: string): string {
  if (!isUuid(id))
    throw validationError(`each name in checkState must be a valid UUID (expected format: ${UUID_SHAPE})`);
  return canonicalUuid(id);
}

function listed(filters: WireFilters | undefined): readonly FilterInput[] {
  if (!filters) return [];
  if (Array.isArray(filters)) return filters;
  const { filterArray, field, ...rest } = filters;
  if (filterArray) return filterArray;
  if (field !== undefined) return [{ ...rest, field }];
  if (Object.keys(filters).length > 0)
    throw validationError('filters must be a list, a condition with a field, or an object with filterArray');
  return [];
}
