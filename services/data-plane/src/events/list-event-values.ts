import { DEFAULT_FIELD_VALUES, type listEventValues, type ValueType } from '@assay/contracts';
import { acceptDateRange, eventPath, EVENT_SHAPE } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { FieldValue } from '@assay/event-store';
import type { Operation } from '@assay/http';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import { acceptSentFilters } from '../shared/accept-sent-filters.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

/** Lists the most frequent values of a field, for suggestions while a filter is typed. */
export function makeListEventValues(deps: DataPlaneDeps): Operation<typeof listEventValues> {
  return ({ query }, { caller, waitMs, signal }) => {
    const { field, prefix, limit = DEFAULT_FIELD_VALUES } = query;
    assertHasValues(field);
    const valuesQuery = {
      field,
      ...(prefix !== undefined && { prefix }),
      filters: acceptSentFilters(query.filters),
      ...acceptDateRange(query.dateRange, deps.now()),
      limit,
    };
    return respondAfterWait(deps, waitMs, async () => {
      const { values, isPartial } = await deps.store.aggregates.fieldValues(caller.projectId, valuesQuery, {
        signal,
      });
      const type = typeOf(values);
      const toResponse = ({ value, count }: FieldValue) => ({
        value: type === 'boolean' ? value === 'true' : value,
        count,
      });
      return { field, type, values: values.map(toResponse), approximate: isPartial };
    });
  };
}

function assertHasValues(field: string): void {
  const path = eventPath(field);
  const isObject = EVENT_SHAPE.buckets.some((bucket) => bucket === field);
  if (path !== undefined && !isObject) return;
  throw validationError('field must be a field of events, or a path into one of its objects');
}

function typeOf(values: readonly FieldValue[]): ValueType {
  if (values.length === 0) return 'string';
  if (values.every(({ value }) => typeof value === 'number')) return 'number';
  return values.every(({ value }) => value === 'true' || value === 'false') ? 'boolean' : 'string';
}
