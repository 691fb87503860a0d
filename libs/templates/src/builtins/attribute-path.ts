import type { Budget } from '../limits.js';
import { stringOf } from '../values/compare.js';
import { itemOf } from '../values/subscript.js';
import { List, Undefined, type Value } from '../values/value.js';

export type Getter = (item: Value) => Value;

/** Returns a function that reads `attribute` of an item: a name, a path such as `user.tags.0`, an index, or the item itself for None. */
export function attributeGetter(attribute: Value, budget: Budget, fallback: Value = null): Getter {
  const path = pathOf(attribute);
  return (item) => {
    budget.step();
    return path.reduce((value, part) => {
      const found = itemOf(value, part, budget);
      return found instanceof Undefined && fallback !== null ? fallback : found;
    }, item);
  };
}

/** Returns a function that reads several attributes, separated by commas, for sorting. */
export function attributesGetter(attribute: Value, budget: Budget, prepare: Getter): Getter {
  const names = typeof attribute === 'string' ? attribute.split(',') : [attribute];
  const getters = names.map((name) => attributeGetter(name, budget));
  if (getters.length === 1) return (item) => prepare((getters[0] as Getter)(item));
  return (item) => new List(getters.map((get) => prepare(get(item))));
}

function pathOf(attribute: Value): readonly Value[] {
  if (attribute === null || attribute instanceof Undefined) return [];
  const text = stringOf(attribute);
  if (text === undefined) return [attribute];
  return text.split('.').map((part) => (/^\d+$/.test(part) ? BigInt(part) : part));
}

/** Lower case of strings, for comparisons that ignore case. */
export function ignoreCase(value: Value): Value {
  const text = stringOf(value);
  return text === undefined ? value : text.toLowerCase();
}
