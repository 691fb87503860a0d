import { CASE_COST, MAX_INTEGER_DIGITS, type Budget } from '../limits.js';
import { stringOf } from '../values/compare.js';
import { itemOf } from '../values/subscript.js';
import { List, Undefined, type Value } from '../values/value.js';

export type Getter = (item: Value) => Value;

/** Returns a function that reads `attribute` of an item: a name, a path such as `user.tags.0`, an index, or the item itself for None. */
export function attributeGetter(attribute: Value, budget: Budget, fallback: Value = null): Getter {
  const path = pathOf(attribute, budget);
  return (item) => {
    budget.step(1 + path.length);
    return path.reduce((value, part) => {
      const found = itemOf(value, part, budget);
      return found instanceof Undefined && fallback !== null ? fallback : found;
    }, item);
  };
}

/** Returns a function that reads one or several attributes, separated by commas, as a list for sorting. */
export function attributesGetter(attribute: Value, budget: Budget, prepare: Getter): Getter {
  const names = typeof attribute === 'string' ? partsOf(attribute, ',', budget) : [attribute];
  const getters = names.map((name) => attributeGetter(name, budget));
  return (item) => {
    budget.items(getters.length);
    return new List(getters.map((get) => prepare(get(item))));
  };
}

function pathOf(attribute: Value, budget: Budget): readonly Value[] {
  if (attribute === null || attribute instanceof Undefined) return [];
  const text = stringOf(attribute);
  if (text === undefined) return [attribute];
  return partsOf(text, '.', budget).map((part) =>
    part.length <= MAX_INTEGER_DIGITS && /^\d+$/.test(part) ? BigInt(part) : part,
  );
}

function partsOf(text: string, separator: string, budget: Budget): string[] {
  budget.text(text.length);
  const parts = text.split(separator);
  budget.items(parts.length);
  return parts;
}

/** Returns a function that gives the lower case of strings, for comparisons that ignore case. */
export function ignoringCase(budget: Budget): Getter {
  return (value) => {
    const text = stringOf(value);
    if (text === undefined) return value;
    budget.scan(CASE_COST * text.length);
    return text.toLowerCase();
  };
}
