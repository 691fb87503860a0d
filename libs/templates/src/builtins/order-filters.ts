import type { Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { bind } from '../values/arguments.js';
import { compareValues, isEqual, isTruthy } from '../values/compare.js';
import { itemsOf } from '../values/iterate.js';
import { Dict, List, Tuple, Undefined, View, refuseUndefined, type Value } from '../values/value.js';
import { attributeGetter, attributesGetter, ignoringCase, type Getter } from './attribute-path.js';
import type { FilterFunction } from './builtin.js';

const same: Getter = (value) => value;

interface SortOptions {
  readonly budget: Budget;
  readonly reverse?: boolean;
}

/** Sorts by keys, stable also in reverse. */
function sorted(items: readonly Value[], key: Getter, options: SortOptions): Value[] {
  return sortedWithKeys(items, key, options).map(({ item }) => item);
}

/** Like {@link sorted}. Making a key can cost more than comparing two, so that each is made once. */
function sortedWithKeys(items: readonly Value[], key: Getter, { budget, reverse = false }: SortOptions) {
  budget.items(items.length);
  const keyed = items.map((item) => ({ item, key: key(item) }));
  keyed.forEach((one) => refuseUndefinedAmong(one.key, items.length));
  return keyed.sort((a, b) => (reverse ? -1 : 1) * (compareValues(a.key, b.key, budget) || 0));
}

/** One value needs no comparison, so it may be undefined. */
function refuseUndefinedAmong(key: Value, count: number): void {
  if (count > 1) refuseUndefined(key);
}

const sort: FilterFunction = (subject, args, { budget }) => {
  const bound = bind(args, ['reverse', 'case_sensitive', 'attribute'], 'sort');
  const prepare = isTruthy(bound.value('case_sensitive', false)) ? same : ignoringCase(budget);
  const key = attributesGetter(bound.value('attribute', null), budget, prepare);
  const reverse = isTruthy(bound.value('reverse', false));
  return new List(sorted(itemsOf(subject, budget), key, { budget, reverse }));
};

const dictsort: FilterFunction = (subject, args, { budget }) => {
  const bound = bind(args, ['case_sensitive', 'by', 'reverse'], 'dictsort');
  const by = bound.text('by', 'key');
  if (by !== 'key' && by !== 'value') throw new TemplateError("'by' of dictsort must be 'key' or 'value'");
  refuseUndefined(subject);
  if (!(subject instanceof Dict)) throw new TemplateError('dictsort needs a dict');
  const prepare = isTruthy(bound.value('case_sensitive', false)) ? same : ignoringCase(budget);
  const pairs = Array.from(subject.pairs(), ([key, value]) => new Tuple([key, value]));
  const position = by === 'key' ? 0 : 1;
  const key: Getter = (pair) => prepare((pair as Tuple).items[position] as Value);
  return new List(sorted(pairs, key, { budget, reverse: isTruthy(bound.value('reverse', false)) }));
};

function extreme(name: 'min' | 'max'): FilterFunction {
  const sign = name === 'min' ? 1 : -1;
  return (subject, args, { budget }) => {
    const bound = bind(args, ['case_sensitive', 'attribute'], name);
    const prepare = isTruthy(bound.value('case_sensitive', false)) ? same : ignoringCase(budget);
    const get = attributeGetter(bound.value('attribute', null), budget);
    let best: { readonly item: Value; readonly key: Value } | undefined;
    for (const item of itemsOf(subject, budget)) {
      const key = prepare(get(item));
      if (best === undefined || sign * compareValues(key, best.key, budget) < 0) best = { item, key };
    }
    return best === undefined ? new Undefined(`the ${name} of no items`) : best.item;
  };
}

const unique: FilterFunction = (subject, args, { budget }) => {
  const bound = bind(args, ['case_sensitive', 'attribute'], 'unique');
  const prepare = isTruthy(bound.value('case_sensitive', false)) ? same : ignoringCase(budget);
  const get = attributeGetter(bound.value('attribute', null), budget);
  const seen = new Dict();
  const items = itemsOf(subject, budget).filter((item) => {
    const key = prepare(get(item));
    const isNew = !seen.has(key, budget);
    if (isNew) seen.set(key, true, budget);
    return isNew;
  });
  return new View('generator', items);
};

const groupby: FilterFunction = (subject, args, { budget }) => {
  const bound = bind(args, ['attribute', 'default', 'case_sensitive'], 'groupby');
  const isCaseSensitive = isTruthy(bound.value('case_sensitive', false));
  const get = attributeGetter(bound.required('attribute'), budget, bound.value('default', null));
  const lower = ignoringCase(budget);
  const keyOf: Getter = isCaseSensitive ? get : (item) => lower(get(item));
  const groups: { readonly key: Value; readonly items: Value[] }[] = [];
  for (const { item, key } of sortedWithKeys(itemsOf(subject, budget), keyOf, { budget })) {
    const last = groups.at(-1);
    if (last && isEqual(last.key, key, budget)) last.items.push(item);
    else groups.push({ key, items: [item] });
  }
  return new List(
    groups.map(({ items }) => new Tuple([get(items[0] as Value), new List(items)], ['grouper', 'list'])),
  );
};

export const ORDER_FILTERS: Readonly<Record<string, FilterFunction>> = {
  dictsort,
  groupby,
  max: extreme('max'),
  min: extreme('min'),
  sort,
  unique,
};
