import type { Budget } from '../limits.js';
import { Dict, List, type Value } from './value.js';

/**
 * Returns JSON data as a value. Whole numbers are integers. Objects and lists are read when the template first needs them, own properties
 * only, into copies: a template cannot change the data.
 */
export function fromJson(data: unknown, budget: Budget): Value {
  if (typeof data === 'string' || typeof data === 'boolean' || typeof data === 'bigint') return data;
  if (typeof data === 'number') return Number.isInteger(data) ? BigInt(data) : data;
  if (Array.isArray(data)) return new List(() => readList(data, budget));
  if (typeof data === 'object' && data !== null) return new Dict(() => readObject(data, budget));
  return null;
}

function readList(data: readonly unknown[], budget: Budget): Value[] {
  budget.visit(data.length);
  return data.map((item) => fromJson(item, budget));
}

function* readObject(data: object, budget: Budget): Iterable<[string, Value]> {
  for (const [key, value] of Object.entries(data)) {
    budget.step();
    if (value !== undefined && typeof value !== 'function') yield [key, fromJson(value, budget)];
  }
}
