import { AppError } from '@assay/errors';
import type { CollectionSpec, Condition, Scalar } from '../document-store.js';
import { orderedSets } from './collection-spec.js';

/** How a query is answered: by a set of fields, or (undefined) by the order of the ids alone. */
export type Covering = readonly string[] | undefined;

type Equals = Readonly<Record<string, Scalar>>;

/**
 * The set whose first fields are those of `equals`, in any order, and whose one further field, if any, is `orderBy`.
 * @throws AppError `INTERNAL_ERROR` when there is none: a query that reads a whole collection is a mistake of the caller
 */
export function coveringSet(spec: CollectionSpec, equals: Equals, orderBy: string | undefined): Covering {
  const names = Object.keys(equals);
  const order = orderBy === undefined || names.includes(orderBy) ? [] : [orderBy];
  if (names.length + order.length === 0) return undefined;
  const found = orderedSets(spec).find((set) => matches(set, names, order));
  if (found) return found;
  throw notCovered(spec, [...names, ...order]);
}

/** As {@link coveringSet}, for counting: the set may have one field more than `equals`, best one whose condition narrows what is read. */
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

/** Whether the condition cuts down what is read of an index that orders by the field. */
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
