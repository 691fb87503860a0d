import type { Filter } from '@assay/domain';
import type { Binder } from '../engine/binder.js';
import { textCondition, withoutNegation } from './filter-conditions.js';
import { jsonNumber, numberOf } from './stored-value.js';

/** Usage of sessions, which is counted over the tree of their events and not in a statement. */
const USAGE_FIELDS = ['cost', 'total_tokens', 'prompt_tokens', 'completion_tokens'].map(
  (name) => `metadata.${name}`,
);

/** The end of a session that a client sent: its own, or that of its last event. */
const SENT_END =
  'ifNull(ifNull(own_end, own_start + own_duration), if(last_end > own_start, last_end, if(isNull(last_end), NULL, own_start)))';
const SPAN_START = 'least(own_start, first_start)';
const SPAN_END = `greatest(ifNull(own_end, ${SPAN_START}), ifNull(last_end, ${SPAN_START}))`;
const IS_SPAN = `own_origin = 'synthesised' AND isNotNull(first_start)`;
const TIMES = ['toNullable(min(start_time)) AS first_start', `max(${numberOf('end_time')}) AS last_end`];

/** A field of sessions that is derived from their events. */
interface TotalField {
  /** Columns of the group of a session's events. */
  readonly aggregates: readonly string[];
  /** Value as a nullable text, over these columns and those of the session. */
  readonly text: string;
  /** Which sessions have a derived value; all when absent. */
  readonly derived?: string;
}

const OPEN = `(origin = 'synthesised' OR (isNull(end_time) AND isNull(duration)))`;
/** Derived fields that a statement can compute; `withTotals` of the domain is the definition. */
const TOTAL_FIELDS: Readonly<Record<string, TotalField>> = {
  start_time: {
    aggregates: TIMES,
    text: jsonNumber(`toString(if(${IS_SPAN}, ${SPAN_START}, own_start))`),
    derived: `origin = 'synthesised'`,
  },
  end_time: {
    aggregates: TIMES,
    text: jsonNumber(`toString(if(${IS_SPAN}, ${SPAN_END}, ${SENT_END}))`),
    derived: OPEN,
  },
  duration: {
    aggregates: TIMES,
    text: jsonNumber(
      `toString(if(${IS_SPAN}, ${SPAN_END} - ${SPAN_START}, ifNull(own_duration, ${SENT_END} - own_start)))`,
    ),
    derived: OPEN,
  },
  'metadata.num_events': { aggregates: ['count() AS events'], text: 'toNullable(toString(events))' },
  'metadata.num_model_events': {
    aggregates: [`countIf(event_type = 'model') AS models`],
    text: 'toNullable(toString(models))',
  },
  'metadata.num_errors': {
    aggregates: ['countIf(isNotNull(error)) AS errors'],
    text: 'toNullable(toString(errors))',
  },
  'metadata.has_feedback': {
    aggregates: ['count() AS events', `max(feedback != '{}') AS rated`],
    text: `if(events = 0, NULL, if(rated, 'true', 'false'))`,
  },
};

/** Filters by how they are decided for sessions. */
export interface FiltersByField {
  /** On stored values alone. */
  readonly stored: readonly Filter[];
  /** On totals that the statement computes. */
  readonly totals: readonly Filter[];
  /** On usage, which is read before the statement. */
  readonly usage: readonly Filter[];
}

/** Separates filters on fields that sessions derive from their events, unless the filters exclude sessions. */
export function separateFilters(filters: readonly Filter[]): FiltersByField {
  if (filters.some(excludesSessions)) return { stored: filters, totals: [], usage: [] };
  const isTotal = ({ field }: Filter) => Object.hasOwn(TOTAL_FIELDS, field);
  const isUsage = ({ field }: Filter) => USAGE_FIELDS.includes(field);
  return {
    stored: filters.filter((filter) => !isTotal(filter) && !isUsage(filter)),
    totals: filters.filter(isTotal),
    usage: filters.filter(isUsage),
  };
}

function excludesSessions({ field, operator, type, value }: Filter): boolean {
  if (field !== 'event_type' || type !== 'string') return false;
  if (operator === 'is not') return value === 'session';
  if (operator === 'is') return value !== 'session';
  return operator === 'in' && Array.isArray(value) && !value.includes('session');
}

export interface TotalCondition {
  readonly events: string;
  readonly projectId: string;
  /** Conditions on the rows that the search may return. */
  readonly scope: readonly string[];
  /** The condition on stored values, for all other events. */
  readonly otherwise: string;
}

/** Returns a filter on a derived field as a condition on rows of the narrow table. */
export function totalCondition(
  filter: Filter,
  { events, projectId, scope, otherwise }: TotalCondition,
  binder: Binder,
): string {
  const field = TOTAL_FIELDS[filter.field];
  if (field === undefined) return otherwise;
  const { negated, asked } = withoutNegation(filter);
  const isDerived = `event_type = 'session'${field.derived === undefined ? '' : ` AND ${field.derived}`}`;
  const sessions = [...scope, isDerived].join(' AND ');
  const own =
    `SELECT event_id, session_id, start_time AS own_start, end_time AS own_end, duration AS own_duration, origin AS own_origin ` +
    `FROM ${events} FINAL WHERE ${sessions}`;
  const totals =
    `SELECT session_id, ${field.aggregates.join(', ')} FROM ${events} FINAL PREWHERE project_id = ${binder.text(projectId)} ` +
    `AND session_id IN (SELECT session_id FROM ${events} FINAL WHERE ${sessions}) ` +
    `WHERE event_type != 'session' GROUP BY session_id`;
  const matching =
    `SELECT event_id FROM (${own}) AS own LEFT JOIN (${totals}) AS totals ON own.session_id = totals.session_id ` +
    `WHERE ${textCondition(asked, field.text, binder)}`;
  return `if(${isDerived}, event_id ${negated ? 'NOT IN' : 'IN'} (${matching}), ${otherwise})`;
}
