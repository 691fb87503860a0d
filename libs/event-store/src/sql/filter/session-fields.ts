import { excludeSessions, withoutNegation, type Filter } from '@assay/domain';
import type { Binder } from '../engine/binder.js';
import { textCondition } from './filter-conditions.js';
import { jsonNumber, numberOf } from './stored-value.js';

/** Usage of sessions in their metadata, which is counted over the tree of their events and not in a statement. */
const USAGE_NAMES = ['cost', 'total_tokens', 'prompt_tokens', 'completion_tokens'];

/** The usage that is unknown where a model has no price. */
export const COST_FIELD = 'metadata.cost';
/** The models of a session whose cost is unknown, as responses contain them. */
export const UNPRICED_FIELD = 'metadata.unpriced_models';

/** The end of a session that a client sent: its own, or that of its last event. */
const SENT_END =
  'ifNull(ifNull(own_end, own_start + own_duration), if(last_end > own_start, last_end, if(isNull(last_end), NULL, own_start)))';
const SPAN_START = 'least(own_start, first_start)';
const SPAN_END = `greatest(ifNull(own_end, ${SPAN_START}), ifNull(last_end, ${SPAN_START}))`;
const IS_SPAN = `own_origin = 'synthesised' AND isNotNull(first_start)`;
const TIMES = ['toNullable(min(start_time)) AS first_start', `max(${numberOf('end_time')}) AS last_end`];

/** A field of sessions that is derived from their events. */
export interface TotalField {
  /** Columns of the group of a session's events. */
  readonly aggregates: readonly string[];
  /** Value as a nullable number, over these columns and those of the session; 1 and 0 for a boolean. */
  readonly number: string;
  readonly isBoolean?: boolean;
  /** Condition on the row of a session that has a derived value; all have one when absent. */
  readonly derives?: string;
}

/** Columns of a session that derived values read, by the columns of its row. */
export const OWN_COLUMNS = [
  ['session_id', 'own_session'],
  ['start_time', 'own_start'],
  ['end_time', 'own_end'],
  ['duration', 'own_duration'],
  ['origin', 'own_origin'],
] as const;

const SYNTHESISED = `origin = 'synthesised'`;
const OPEN = `(${SYNTHESISED} OR (isNull(end_time) AND isNull(duration)))`;
/** Derived fields that a statement can compute; `withTotals` of the domain is the definition. */
const TOTAL_FIELDS: Readonly<Record<string, TotalField>> = {
  end_time: { aggregates: TIMES, number: `if(${IS_SPAN}, ${SPAN_END}, ${SENT_END})`, derives: OPEN },
  duration: {
    aggregates: TIMES,
    number: `if(${IS_SPAN}, ${SPAN_END} - ${SPAN_START}, ifNull(own_duration, ${SENT_END} - own_start))`,
    derives: OPEN,
  },
  'metadata.num_events': { aggregates: ['count() AS events'], number: 'toNullable(events)' },
  'metadata.num_model_events': {
    aggregates: [`countIf(event_type = 'model') AS models`],
    number: 'toNullable(models)',
  },
  'metadata.num_errors': {
    aggregates: ['countIf(isNotNull(error)) AS errors'],
    number: 'toNullable(errors)',
  },
  'metadata.has_feedback': {
    aggregates: ['count() AS events', `max(feedback != '{}') AS rated`],
    number: 'if(events = 0, NULL, rated)',
    isBoolean: true,
  },
};

/** Start of a session, which filters compare as responses contain it. Pages and charts keep to the stored one. */
const START: TotalField = {
  aggregates: TIMES,
  number: `if(${IS_SPAN}, ${SPAN_START}, own_start)`,
  derives: SYNTHESISED,
};

/** Returns how sessions derive a field; undefined for a field that they do not derive in a statement. */
export function totalField(field: string): TotalField | undefined {
  return Object.hasOwn(TOTAL_FIELDS, field) ? TOTAL_FIELDS[field] : undefined;
}

function filteredField(field: string): TotalField | undefined {
  return field === 'start_time' ? START : totalField(field);
}

/** Returns the value of a derived field as a nullable text. */
export function totalText({ number, isBoolean }: TotalField): string {
  return isBoolean
    ? `arrayMap(b -> multiIf(isNull(b), NULL, b = 1, 'true', 'false'), [${number}])[1]`
    : jsonNumber(`toString(${number})`);
}

/** Returns the condition on rows of the narrow table that have a derived value. */
export function derivesTotal({ derives }: TotalField): string {
  return derives === undefined ? `(event_type = 'session')` : `(event_type = 'session' AND ${derives})`;
}

/** Returns the statement for columns of the groups of the events of sessions, without those that have none. */
export function totalsQuery(
  aggregates: readonly string[],
  { events, projectId, sessions }: Pick<TotalsScope, 'events' | 'projectId'> & { readonly sessions: string },
  binder: Binder,
): string {
  return (
    `SELECT session_id, ${aggregates.join(', ')} FROM ${events} PREWHERE project_id = ${binder.text(projectId)} ` +
    `AND session_id IN (${sessions}) WHERE event_type != 'session' GROUP BY session_id`
  );
}

/** Returns the key in the metadata of a field that is usage, such as `cost` of `metadata.cost`; undefined for other fields. */
export function usageName(field: string): string | undefined {
  return USAGE_NAMES.find((name) => field === `metadata.${name}`);
}

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
  if (excludeSessions(filters)) return { stored: filters, totals: [], usage: [] };
  const isTotal = ({ field }: Filter) => filteredField(field) !== undefined;
  const isUsage = ({ field }: Filter) => usageName(field) !== undefined;
  return {
    stored: filters.filter((filter) => !isTotal(filter) && !isUsage(filter)),
    totals: filters.filter(isTotal),
    usage: filters.filter(isUsage),
  };
}

/** Whether only sessions satisfy all filters, by their types. */
export function requireSessions(filters: readonly Filter[]): boolean {
  return filters.some(({ field, operator, type, value }) => {
    if (field !== 'event_type' || type !== 'string') return false;
    if (operator === 'is') return value === 'session';
    return operator === 'in' && Array.isArray(value) && value.every((name) => name === 'session');
  });
}

export interface TotalsScope {
  /** The visible rows of the narrow table, in the place of a table in a statement. */
  readonly events: string;
  readonly projectId: string;
  /** Conditions on the rows that the search may return. */
  readonly scope: readonly string[];
  /** Returns the condition of a filter on stored values, for all other events. */
  readonly onStored: (filter: Filter) => string;
}

/**
 * Returns filters on derived fields as one condition on rows of the narrow table, so that the events of their sessions are
 * read once for all of them. Without such a filter there is no condition.
 */
export function totalConditions(
  filters: readonly Filter[],
  { events, projectId, scope, onStored }: TotalsScope,
  binder: Binder,
): string[] {
  const decisions = filters.flatMap((filter) => {
    const field = filteredField(filter.field);
    return field === undefined ? [] : [{ filter, field, stored: onStored(filter) }];
  });
  if (decisions.length === 0) return [];
  const derives = new Set(decisions.map(({ field }) => derivesTotal(field)));
  const isDerived = `(${[...derives].join(' OR ')})`;
  const sessions = [...scope, isDerived].join(' AND ');
  const own = OWN_COLUMNS.map(([column, name]) => `${column} AS ${name}`);
  const holds = decisions.map(({ filter, field, stored }, index) => {
    const { negated, asked } = withoutNegation(filter);
    const condition = textCondition(asked, totalText(field), binder);
    const holdsDerived = negated ? `NOT (${condition})` : condition;
    if (field.derives === undefined || derives.size === 1) return holdsDerived;
    // Another field has a derived value in this session, and this one may not.
    own.push(`${derivesTotal(field)} AS derives_${index}`, `${stored} AS stored_${index}`);
    return `if(derives_${index}, ${holdsDerived}, stored_${index})`;
  });
  const ids = `SELECT session_id FROM ${events} WHERE ${sessions}`;
  const aggregates = [...new Set(decisions.flatMap(({ field }) => field.aggregates))];
  const totals = totalsQuery(aggregates, { events, projectId, sessions: ids }, binder);
  const matching =
    `SELECT event_id FROM (SELECT event_id, ${own.join(', ')} FROM ${events} WHERE ${sessions}) AS own ` +
    `LEFT JOIN (${totals}) AS totals ON own.own_session = totals.session_id WHERE ${holds.join(' AND ')}`;
  const otherwise = decisions.map(({ stored }) => stored).join(' AND ');
  return [`if(${isDerived}, event_id IN (${matching}), ${otherwise})`];
}
