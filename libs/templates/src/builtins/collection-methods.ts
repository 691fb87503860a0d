import type { Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { bind } from '../values/arguments.js';
import { compareValues, isEqual, isTruthy } from '../values/compare.js';
import { itemsOf } from '../values/iterate.js';
import { Dict, List, Tuple, View, orElse, type CallArguments, type Value } from '../values/value.js';
import type { MethodFunction } from './builtin.js';
import { pairsOf } from './functions.js';

function position(items: readonly Value[], value: Value, budget: Budget): number {
  return items.findIndex((item) => isEqual(item, value, budget));
}

function indexOf(items: readonly Value[], args: CallArguments, budget: Budget): bigint {
  const at = position(items, bind(args, ['value'], 'index').required('value'), budget);
  if (at < 0) throw new TemplateError('the value is not in the list');
  return BigInt(at);
}

function countOf(items: readonly Value[], args: CallArguments, budget: Budget): bigint {
  const value = bind(args, ['value'], 'count').required('value');
  return BigInt(items.filter((item) => isEqual(item, value, budget)).length);
}

function sortInPlace(items: Value[], args: CallArguments, budget: Budget): null {
  const reverse = isTruthy(bind(args, ['reverse'], 'sort').value('reverse', false));
  items.sort((a, b) => (reverse ? -1 : 1) * (compareValues(a, b, budget) || 0));
  return null;
}

function insert(items: Value[], args: CallArguments, budget: Budget): null {
  const bound = bind(args, ['index', 'value'], 'insert');
  budget.items(items.length + 1);
  items.splice(bound.integer('index'), 0, bound.required('value'));
  return null;
}

/** Charges moving items by one position. */
function chargeShift(count: number, budget: Budget): void {
  budget.scan(Math.max(0, count));
}

function pop(items: Value[], args: CallArguments, budget: Budget): Value {
  const index = bind(args, ['index'], 'pop').integer('index', -1);
  const at = index < 0 ? items.length + index : index;
  chargeShift(items.length - at, budget);
  const [value] = at < 0 ? [] : items.splice(at, 1);
  if (value === undefined) throw new TemplateError('pop from an empty list or beyond its end');
  return value;
}

/** The closed table of methods of lists. */
export const LIST_METHODS: ReadonlyMap<string, MethodFunction<List>> = new Map(
  Object.entries<MethodFunction<List>>({
    append: ({ items }, args, budget) => {
      const value = bind(args, ['value'], 'append').required('value');
      budget.step();
      if (items.length >= budget.limits.maxItems) budget.items(items.length + 1);
      items.push(value);
      return null;
    },
    clear: ({ items }) => {
      items.length = 0;
      return null;
    },
    copy: ({ items }, _args, budget) => {
      budget.items(items.length);
      return new List(Array.from(items));
    },
    count: ({ items }, args, budget) => countOf(items, args, budget),
    extend: ({ items }, args, budget) => {
      const more = itemsOf(bind(args, ['iterable'], 'extend').required('iterable'), budget);
      budget.items(items.length + more.length);
      for (const item of Array.from(more)) items.push(item);
      return null;
    },
    index: ({ items }, args, budget) => indexOf(items, args, budget),
    insert: ({ items }, args, budget) => insert(items, args, budget),
    pop: ({ items }, args, budget) => pop(items, args, budget),
    remove: ({ items }, args, budget) => {
      const at = Number(indexOf(items, args, budget));
      chargeShift(items.length - at, budget);
      items.splice(at, 1);
      return null;
    },
    reverse: ({ items }, _args, budget) => {
      budget.visit(items.length);
      items.reverse();
      return null;
    },
    sort: ({ items }, args, budget) => sortInPlace(items, args, budget),
  }),
);

export const TUPLE_METHODS: ReadonlyMap<string, MethodFunction<Tuple>> = new Map(
  Object.entries<MethodFunction<Tuple>>({
    count: ({ items }, args, budget) => countOf(items, args, budget),
    index: ({ items }, args, budget) => indexOf(items, args, budget),
  }),
);

function update(dict: Dict, args: CallArguments, budget: Budget): null {
  const pairs = pairsOf(args, 'update', budget);
  budget.items(dict.size + pairs.length);
  for (const [key, value] of pairs) dict.set(key, value, budget);
  return null;
}

function popKey(dict: Dict, args: CallArguments, budget: Budget): Value {
  const bound = bind(args, ['key', 'default'], 'pop');
  const key = bound.required('key');
  const known = dict.get(key, budget);
  const value = known === undefined && bound.has('default') ? bound.required('default') : known;
  if (value === undefined) throw new TemplateError('pop of a missing key');
  dict.delete(key, budget);
  return value;
}

function setDefault(dict: Dict, args: CallArguments, budget: Budget): Value {
  const bound = bind(args, ['key', 'default'], 'setdefault');
  const key = bound.required('key');
  if (!dict.has(key, budget)) {
    budget.items(1);
    dict.set(key, bound.value('default', null), budget);
  }
  return dict.get(key, budget) as Value;
}

/** Views are copies: a template that changes a dict while it visits it sees the old items. */
function view(
  type: 'dict_keys' | 'dict_values' | 'dict_items',
  item: (pair: [Value, Value]) => Value,
): MethodFunction<Dict> {
  return (dict, args, budget) => {
    bind(args, [], type);
    budget.items(dict.size);
    return new View(type, Array.from(dict.pairs(), item));
  };
}

/** The closed table of methods of dicts. */
export const DICT_METHODS: ReadonlyMap<string, MethodFunction<Dict>> = new Map(
  Object.entries<MethodFunction<Dict>>({
    clear: (dict) => {
      dict.clear();
      return null;
    },
    copy: (dict, _args, budget) => {
      budget.items(dict.size);
      const copy = new Dict();
      for (const [key, value] of dict.pairs()) copy.set(key, value, budget);
      return copy;
    },
    get: (dict, args, budget) => {
      const bound = bind(args, ['key', 'default'], 'get');
      return orElse(dict.get(bound.required('key'), budget), () => bound.value('default', null));
    },
    items: view('dict_items', ([key, value]) => new Tuple([key, value])),
    keys: view('dict_keys', ([key]) => key),
    pop: popKey,
    setdefault: setDefault,
    update,
    values: view('dict_values', ([, value]) => value),
  }),
);
