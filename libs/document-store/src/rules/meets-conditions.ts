import type { Condition, Scalar } from '../document-store.js';
import { asScalar, indexedValue } from './indexed-value.js';
import { orderKey } from './order-key.js';

/** Whether these fields meet all conditions. */
export function meetsConditions(fields: object, where: readonly Condition[]): boolean {
  return where.every((condition) => meets(indexedValue(fields, condition.field), condition));
}

function meets(value: Scalar | undefined, condition: Condition): boolean {
  if ('in' in condition)
    return value !== undefined && condition.in.some((wanted) => asScalar(wanted) === value);
  if ('containsAny' in condition)
    return typeof value === 'string' && condition.containsAny.some((text) => value.includes(text));
  return isBetween(value, condition.from, condition.to);
}

/** In the order of the indexes: strings by code point. A value of another type than a bound lies outside. */
function isBetween(value: Scalar | undefined, from: Scalar | undefined, to: Scalar | undefined): boolean {
  const sameType = [from, to].every((bound) => bound === undefined || typeof bound === typeof value);
  if (!sameType) return false;
  const key = orderKey(value);
  const above = from === undefined || Buffer.compare(key, orderKey(from)) >= 0;
  const below = to === undefined || Buffer.compare(key, orderKey(to)) <= 0;
  return above && below;
}
