import { AppError } from '@assay/errors';
import type { CollectionSpec, Condition, Scalar } from '../document-store.js';
import { orderedSets } from './collection-spec.js';

/** The set of fields whose index serves a query; undefined: the order of the ids. */
export type Covering = readonly string[] | undefined;

type Equals = Readonly<Record<string, Scalar>>;

/**
 * Returns the set whose first fields are those of `equals`, in any order, and whose only further field, if
 * any, is `orderBy`.
 * @throws AppError `INTERNAL_ERROR` if there is none: a query that scans a whole collection is a bug of the
 * caller
 */
export function coveringSet(spec: CollectionSpec, equals: Equals, orderBy: string | undefined): Covering {
  const names = Object.keys(equals);
  const order = orderBy === undefined || names.includes(orderBy) ? [] : [orderBy];
  if (names.length + order.length === 0) return undefined;
  const found = orderedSets(spec).find((set) => matches(set, names, order));
  if (found) return found;
  throw notCovered(spec, [...names, ...order]);
}

/**
 * As {@link coveringSet}, for counting: the set may have one field more than `equals`, preferably one whose
 * condition narrows the scan.
 */
export function countingSet(spec: CollectionSpec, equals: Equals, where: readonly Condition[]): Covering {
  const names = Object.keys(equals);
  if (names.length === 0) return undefined;
  const longer = orderedSets(spec).filter((set) => matches(set.slice(0, -1), names, []));
  const found =
    longer.find((set) => where.some((condition) => narrows(condition, set.at(-1)))) ??
    orderedSets(spec).find((set) => matches(set, names, [])) ??
    longer[0];
  if (found) return found;
  throw notCovered(spec, names);
}

/** Returns whether the condition narrows the scan of an index that is ordered by the field. */
export function narrows(condition: Condition, field: string | undefined): boolean {
  return condition.field === field && !('containsAny' in condition);
}

function matches(set: readonly string[], names: readonly string[], order: readonly string[]): boolean {
  if (set.length !== names.length + order.length) return false;
  const leading = set.slice(0, names.length);
  return names.every((name) => leading.includes(name)) && order.every((name) => set.at(-1) === name);
}

function notCovered(spec: CollectionSpec, fields: readonly string[]): AppError {
  return new AppError('INTERNAL_ERROR', `no index of collection ${spec.name} covers ${fields.join(', ')}`);
}
