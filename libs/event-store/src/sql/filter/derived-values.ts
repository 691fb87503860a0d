import { excludeSessions, type Filter } from '@assay/domain';
import type { Binder } from '../engine/binder.js';
import {
  derivesTotal,
  OWN_COLUMNS,
  totalField,
  totalsQuery,
  totalText,
  type TotalField,
} from './session-fields.js';

/** Tokens and costs of sessions that have none of their own, as responses contain them. */
export interface SessionUsage {
  readonly eventIds: readonly string[];
  /** By field, in the order of the ids: numbers as text, empty where the session has its own value or none. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Rows of the narrow table, whose sessions derive values from all their events. */
export interface DerivingRows {
  /** The visible ones, in the place of a table in a statement. */
  readonly events: string;
  readonly projectId: string;
  readonly filters: readonly Filter[];
  /** `FROM … WHERE …` of rows with all sessions that the statement reads. */
  readonly source: string;
  readonly usage?: SessionUsage;
}

/** A statement over rows with a stored value of a field, joined with what sessions derive for the field. */
export interface DerivedValues {
  /** Columns that the rows need, with their names: `, expression AS name`. */
  readonly columns: string;
  /** The names alone: `, name`. */
  readonly names: string;
  /** `LEFT JOIN …` behind the rows. */
  readonly joins: string;
  /** Returns the value of a field that responses contain, over the joined rows: a nullable number. */
  number(field: string, stored: string): string;
  /** As {@link number}: a nullable text. */
  text(field: string, stored: string): string;
  /** Whether the value of a field is a number, over the joined rows. */
  isNumber(field: string, stored: { readonly text: string; readonly isNumber: string }): string;
}

const USAGE_EVENT = 'own_event';

/**
 * Returns how a statement reads fields that sessions derive from their events; without such a field, and when the filters
 * exclude sessions, the stored values alone.
 */
export function derivedValues(
  fields: readonly (string | undefined)[],
  rows: DerivingRows,
  binder: Binder,
): DerivedValues {
  const named = excludeSessions(rows.filters)
    ? []
    : [...new Set(fields.filter((field) => field !== undefined))];
  const totals = new Map(
    named.flatMap((field) => {
      const total = totalField(field);
      return total === undefined ? [] : [[field, total] as const];
    }),
  );
  const usage = named.filter((field) => rows.usage?.values.has(field));
  const columns = columnsOf(totals, usage);
  return {
    columns: columns.map(([expression, name]) => `, ${expression} AS ${name}`).join(''),
    names: columns.map(([, name]) => `, ${name}`).join(''),
    joins: joinTotals(totals, rows, binder) + joinUsage(usage, rows.usage, binder),
    ...valuesOf(totals, usage),
  };
}

type Totals = ReadonlyMap<string, TotalField>;

function columnsOf(
  totals: Totals,
  usage: readonly string[],
): (readonly [expression: string, name: string])[] {
  return [
    ...(totals.size === 0 ? [] : OWN_COLUMNS),
    ...[...totals.values()].map((total, index) => [derivesTotal(total), `derives_${index}`] as const),
    ...(usage.length === 0 ? [] : [['event_id', USAGE_EVENT] as const]),
  ];
}

function joinTotals(totals: Totals, { events, projectId, source }: DerivingRows, binder: Binder): string {
  if (totals.size === 0) return '';
  const all = [...totals.values()];
  const aggregates = [...new Set(all.flatMap((total) => total.aggregates))];
  const derives = [...new Set(all.map(derivesTotal))].join(' OR ');
  const sessions = `SELECT session_id ${source} AND (${derives})`;
  const query = totalsQuery(aggregates, { events, projectId, sessions }, binder);
  return ` LEFT JOIN (${query}) AS totals ON own_session = totals.session_id`;
}

function joinUsage(fields: readonly string[], usage: SessionUsage | undefined, binder: Binder): string {
  if (usage === undefined || fields.length === 0) return '';
  const lists = fields.map((field) => binder.texts(usage.values.get(field) ?? []));
  const rows = `arrayJoin(arrayZip(${[binder.bind(usage.eventIds, 'Array(UUID)'), ...lists].join(', ')})) AS u`;
  const values = fields.map((_, index) => `, u.${index + 2} AS usage_${index}`).join('');
  return ` LEFT JOIN (SELECT u.1 AS usage_event${values} FROM (SELECT ${rows})) AS counted ON ${USAGE_EVENT} = counted.usage_event`;
}

function valuesOf(
  totals: Totals,
  usage: readonly string[],
): Pick<DerivedValues, 'number' | 'text' | 'isNumber'> {
  const names = [...totals.keys()];
  // A session without events has none of the booleans that are derived from them, and keeps its own.
  const derives = (field: string, derived: string, stored: string) =>
    totals.get(field)?.isBoolean
      ? `if(derives_${names.indexOf(field)}, coalesce(${derived}, ${stored}), ${stored})`
      : `if(derives_${names.indexOf(field)}, ${derived}, ${stored})`;
  const usageOf = (field: string) => `usage_${usage.indexOf(field)}`;
  return {
    number(field, stored) {
      const total = totals.get(field);
      if (total !== undefined) return derives(field, `toFloat64(${total.number})`, stored);
      return usage.includes(field) ? `coalesce(${stored}, toFloat64OrNull(${usageOf(field)}))` : stored;
    },
    text(field, stored) {
      const total = totals.get(field);
      if (total !== undefined) return derives(field, totalText(total), stored);
      return usage.includes(field) ? `coalesce(${stored}, nullIf(${usageOf(field)}, ''))` : stored;
    },
    isNumber(field, stored) {
      const total = totals.get(field);
      if (total !== undefined) return derives(field, total.isBoolean ? '0' : '1', stored.isNumber);
      return usage.includes(field)
        ? `if(isNull(${stored.text}), ${usageOf(field)} != '', ${stored.isNumber})`
        : stored.isNumber;
    },
  };
}
