import type { Event } from '../../src/events/event.js';
import { uuid5 } from '../../src/events/identity/event-id.js';
import type { Filter, FilterOperator, FilterType } from '../../src/events/filter/filter.js';

/** One event, one filter, and whether the event satisfies it. */
export interface FilterCase {
  readonly name: string;
  readonly event: Event;
  readonly filter: Filter;
  readonly matches: boolean;
}

/** A row of a table of cases: name, relevant fields of the event, the filter, and whether it matches. */
export type CaseRow = readonly [
  name: string,
  event: Partial<Event>,
  field: string,
  operator: FilterOperator,
  type: FilterType,
  value: Filter['value'],
  matches: boolean,
];

const NAMESPACE = '3f1c1f0e-0d0b-5b9e-8a3c-6a1f0c7d2e11';
const SESSION_ID = '0f6b6a52-7a0e-4f0e-9d29-1d1f0f8f7f10';

/**
 * Creates the cases of a table. All other fields of each event have defaults; its id is derived from the name
 * of the case.
 */
export function filterCases(rows: readonly CaseRow[]): FilterCase[] {
  return rows.map(([name, fields, field, operator, type, value, matches]) => ({
    name,
    event: { ...plainEvent(name), ...fields },
    filter: { field, operator, type, value },
    matches,
  }));
}

function plainEvent(name: string): Event {
  return {
    project_id: 'filter-cases',
    event_id: uuid5(NAMESPACE, name),
    session_id: SESSION_ID,
    parent_id: SESSION_ID,
    children_ids: [],
    event_type: 'model',
    event_name: 'answer',
    source: 'test',
    start_time: 1_767_225_600_000,
    end_time: null,
    duration: null,
    error: null,
    inputs: {},
    outputs: {},
    config: {},
    metadata: {},
    metrics: {},
    feedback: {},
    user_properties: {},
    origin: 'sent',
  };
}
