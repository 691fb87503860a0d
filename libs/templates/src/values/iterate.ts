import type { Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { charactersOf, lengthOf } from './code-points.js';
import { isEqual, stringOf } from './compare.js';
import { findFirst } from './search-text.js';
import { Dict, List, Tuple, Undefined, View, refuseUndefined, typeName, type Value } from './value.js';

/** Items of a value, as Python's `iter()`: keys of a dict, characters of a string, none of undefined. */
export function itemsOf(value: Value, budget: Budget): readonly Value[] {
  const items = iterableItems(value, budget);
  if (items === undefined) throw new TemplateError(`a value of type '${typeName(value)}' cannot be iterated`);
  return items;
}

export function iterableItems(value: Value, budget: Budget): readonly Value[] | undefined {
  const text = stringOf(value);
  if (text !== undefined) {
    budget.items(text.length);
    return charactersOf(text);
  }
  if (value instanceof List || value instanceof Tuple || value instanceof View) {
    budget.visit(value.items.length);
    return value.items;
  }
  if (value instanceof Undefined) return [];
  if (value instanceof Dict) {
    budget.items(value.size);
    return Array.from(value.pairs(), ([key]) => key);
  }
  return undefined;
}

/** Returns `len()`. */
export function sizeOf(value: Value, budget: Budget): number {
  const text = stringOf(value);
  if (text !== undefined) {
    budget.scan(text.length);
    return lengthOf(text);
  }
  if (value instanceof Dict) return value.size;
  if (value instanceof Undefined) return 0;
  const hasLength =
    value instanceof List || value instanceof Tuple || (value instanceof View && value.type !== 'generator');
  if (!hasLength) throw new TemplateError(`a value of type '${typeName(value)}' has no length`);
  return value.items.length;
}

/** Returns `item in container`. */
export function contains(container: Value, item: Value, budget: Budget): boolean {
  const text = stringOf(container);
  if (text !== undefined) {
    refuseUndefined(item);
    const part = stringOf(item);
    if (part === undefined)
      throw new TemplateError(`'in' of a string needs a string, not '${typeName(item)}'`);
    return findFirst(text, part, budget) >= 0;
  }
  if (container instanceof Dict) return container.has(item, budget);
  const items = itemsOf(container, budget);
  return items.some((one) => isEqual(one, item, budget));
}
