import { FIRST_START, LAST_START } from '@assay/event-rows';
import type { Binder } from '../../engine/binder.js';
import type { TableNames } from '../../schema/topology.js';

/**
 * The rows that a query may see: of one project, and of a span of start times (Unix milliseconds, both
 * inclusive).
 */
export interface Scope {
  readonly projectId: string;
  readonly from?: number;
  readonly to?: number;
}

/**
 * Conditions on the sort key that hold for every row of the scope, and are cheap to check: the project first,
 * always.
 */
export function keyScope(scope: Scope, binder: Binder): string[] {
  const conditions = [`project_id = ${binder.text(scope.projectId)}`];
  if (scope.from !== undefined) conditions.push(hourBound('>=', scope.from, binder));
  if (scope.to !== undefined) conditions.push(hourBound('<=', scope.to, binder));
  return conditions;
}

/** Conditions that hold for the rows of the scope and for no other row of the narrow table. */
export function exactScope(scope: Scope, binder: Binder): string[] {
  const conditions = keyScope(scope, binder);
  if (scope.from !== undefined) conditions.push(`start_time >= ${binder.number(scope.from)}`);
  if (scope.to !== undefined) conditions.push(`start_time <= ${binder.number(scope.to)}`);
  return conditions;
}

/**
 * The hour of the n-th newest of the rows that satisfy conditions in any version, null when there are fewer. The engine reads it from
 * the end of the sort key.
 */
export function hourOfNewest(
  tables: TableNames,
  conditions: readonly string[],
  newestRows: number,
  binder: Binder,
): string {
  return (
    `(SELECT start_hour FROM ${tables.events} WHERE ${conditions.join(' AND ')} ORDER BY start_hour DESC ` +
    `LIMIT 1 OFFSET ${binder.bind(String(newestRows), 'UInt64')})`
  );
}

/** Whether a row starts in this hour or later, in any when it is null: the engine skips all earlier ones. */
export function isSince(hour: string): string {
  return `start_hour >= ifNull(${hour}, toDateTime(0, 'UTC'))`;
}

/**
 * No bound of `start_at`: it may differ between versions of a row, and the engine leaves out parts by its minimum and maximum
 * before it distinguishes versions, so that one that was replaced would be visible.
 */
function hourBound(comparison: '>=' | '<=', time: number, binder: Binder): string {
  const clamped = Math.min(Math.max(Math.trunc(time), FIRST_START), LAST_START);
  const instant = `fromUnixTimestamp64Milli(toInt64(${binder.text(String(clamped))}), 'UTC')`;
  return `start_hour ${comparison} toStartOfHour(${instant})`;
}
