import { bind } from '../values/arguments.js';
import { stringOf } from '../values/compare.js';
import { Callable, Dict, List, Tuple, type Value } from '../values/value.js';
import type { MethodFunction } from './builtin.js';
import { DICT_METHODS, LIST_METHODS, TUPLE_METHODS } from './collection-methods.js';
import { STRING_METHODS } from './string-methods.js';

const FLOAT_METHODS: ReadonlyMap<string, MethodFunction<number>> = new Map([
  [
    'is_integer',
    (value, args) => {
      bind(args, [], 'is_integer');
      return Number.isInteger(value);
    },
  ],
]);

/** Returns a method of the closed tables, bound to its value; undefined when the type has none of this name. */
export function methodOf(value: Value, name: string): Callable | undefined {
  const text = stringOf(value);
  if (text !== undefined) return bound(STRING_METHODS, text, name);
  if (value instanceof Dict) return bound(DICT_METHODS, value, name);
  if (value instanceof List) return bound(LIST_METHODS, value, name);
  if (value instanceof Tuple) return bound(TUPLE_METHODS, value, name);
  return typeof value === 'number' ? bound(FLOAT_METHODS, value, name) : undefined;
}

function bound<Self>(
  methods: ReadonlyMap<string, MethodFunction<Self>>,
  self: Self,
  name: string,
): Callable | undefined {
  const method = methods.get(name);
  return method && new Callable(name, (args, budget) => method(self, args, budget));
}
