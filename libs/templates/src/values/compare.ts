import type { Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { compareTexts } from './code-points.js';
import { Dict, List, Markup, Tuple, Undefined, View, typeName, type Value } from './value.js';

const MAX_NESTING = 100;

export function isTruthy(value: Value): boolean {
  if (typeof value !== 'object') return Boolean(value);
  if (value === null || value instanceof Undefined) return false;
  if (value instanceof Markup) return value.text !== '';
  if (value instanceof Dict) return value.size > 0;
  if (value instanceof View && value.type === 'generator') return true;
  if (value instanceof List || value instanceof Tuple || value instanceof View) return value.items.length > 0;
  return true;
}

export type Numeric = bigint | number;

/** The number that a value is in arithmetic: true is 1. */
export function numericOf(value: Value): Numeric | undefined {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return typeof value === 'bigint' || typeof value === 'number' ? value : undefined;
}

export function stringOf(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  return value instanceof Markup ? value.text : undefined;
}

/** Whether two values are equal in Python. */
export function isEqual(a: Value, b: Value, budget: Budget, depth = 0): boolean {
  budget.step();
  if (depth > MAX_NESTING) throw new TemplateError('a value nests too deeply to be compared');
  const [left, right] = [numericOf(a), numericOf(b)];
  if (left !== undefined && right !== undefined) return compareNumbers(left, right) === 0;
  const [leftText, rightText] = [stringOf(a), stringOf(b)];
  if (leftText !== undefined && rightText !== undefined) {
    if (leftText.length === rightText.length) budget.scan(leftText.length);
    return leftText === rightText;
  }
  if (a instanceof Undefined) return b instanceof Undefined;
  if (a instanceof Dict && b instanceof Dict) return areEqualDicts(a, b, budget, depth);
  const items = sameSequence(a, b);
  if (!items) return a === b;
  return (
    items[0].length === items[1].length &&
    items[0].every((item, index) => isEqual(item, items[1][index] as Value, budget, depth + 1))
  );
}

function sameSequence(a: Value, b: Value): [readonly Value[], readonly Value[]] | undefined {
  if (a instanceof List && b instanceof List) return [a.items, b.items];
  if (a instanceof Tuple && b instanceof Tuple) return [a.items, b.items];
  if (a instanceof View && b instanceof View && a.type === 'range' && b.type === 'range')
    return [a.items, b.items];
  return undefined;
}

function areEqualDicts(a: Dict, b: Dict, budget: Budget, depth: number): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a.pairs()) {
    const other = b.get(key, budget);
    if (other === undefined || !isEqual(value, other, budget, depth + 1)) return false;
  }
  return true;
}

/** Below 0, 0, above 0, or NaN when one is not a number. */
function compareNumbers(a: Numeric, b: Numeric): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number.isNaN(a) || Number.isNaN(b) ? NaN : 0;
}

/**
 * Orders two values as Python's `<`: below 0, 0, above 0, or NaN for NaN.
 * @throws TemplateError for types without an order
 */
export function compareValues(a: Value, b: Value, budget: Budget, depth = 0): number {
  budget.step();
  if (depth > MAX_NESTING) throw new TemplateError('a value nests too deeply to be compared');
  const [left, right] = [numericOf(a), numericOf(b)];
  if (left !== undefined && right !== undefined) return compareNumbers(left, right);
  const [leftText, rightText] = [stringOf(a), stringOf(b)];
  if (leftText !== undefined && rightText !== undefined) {
    budget.scan(Math.min(leftText.length, rightText.length));
    return compareTexts(leftText, rightText);
  }
  const items = sameSequence(a, b);
  if (items) return compareItems(items, budget, depth);
  throw new TemplateError(`values of type '${typeName(a)}' and '${typeName(b)}' have no order`);
}

function compareItems(
  [a, b]: readonly [readonly Value[], readonly Value[]],
  budget: Budget,
  depth: number,
): number {
  for (const [index, item] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (!isEqual(item, other, budget, depth + 1)) return compareValues(item, other, budget, depth + 1);
  }
  return a.length - b.length;
}

/** Whether two values are one object, or equal values without identity. */
export function isSame(a: Value, b: Value): boolean {
  if (a instanceof Undefined && b instanceof Undefined) return true;
  return a === b;
}
