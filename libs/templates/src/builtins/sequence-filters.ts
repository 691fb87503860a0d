import { TemplateError } from '../template-error.js';
import { bind } from '../values/arguments.js';
import { calculate } from '../values/arithmetic.js';
import { charactersOf } from '../values/code-points.js';
import { isTruthy, stringOf } from '../values/compare.js';
import { itemsOf, sizeOf } from '../values/iterate.js';
import { attributeOf } from '../values/subscript.js';
import { textOf } from '../values/text.js';
import {
  Dict,
  List,
  Markup,
  Tuple,
  Undefined,
  View,
  orElse,
  type CallArguments,
  type Value,
} from '../values/value.js';
import { attributeGetter } from './attribute-path.js';
import type { BuiltinContext, FilterFunction } from './builtin.js';

const generator = (items: readonly Value[]) => new View('generator', items);

const join: FilterFunction = (subject, args, { budget }) => {
  const bound = bind(args, ['d', 'attribute'], 'join');
  const separator = textOf(bound.value('d', ''), budget);
  const get = attributeGetter(bound.value('attribute', null), budget);
  const parts = itemsOf(subject, budget).map((item) => textOf(get(item), budget));
  const length = parts.reduce(
    (sum, part) => sum + part.length,
    separator.length * Math.max(0, parts.length - 1),
  );
  budget.text(length);
  return parts.join(separator);
};

const reverse: FilterFunction = (subject, args, { budget }) => {
  bind(args, [], 'reverse');
  const text = stringOf(subject);
  if (text === undefined) {
    const items = itemsOf(subject, budget);
    budget.items(items.length);
    return generator(Array.from(items).reverse());
  }
  budget.text(text.length);
  budget.characters(text.length);
  const reversed = charactersOf(text).reverse().join('');
  return subject instanceof Markup ? new Markup(reversed) : reversed;
};

const sum: FilterFunction = (subject, args, { budget }) => {
  const bound = bind(args, ['attribute', 'start'], 'sum');
  const get = attributeGetter(bound.value('attribute', null), budget);
  return itemsOf(subject, budget).reduce<Value>(
    (total, item) => calculate('+', total, get(item), budget),
    bound.value('start', 0n),
  );
};

const batch: FilterFunction = (subject, args, { budget }) => {
  const bound = bind(args, ['linecount', 'fill_with'], 'batch');
  const size = bound.integer('linecount');
  const items = itemsOf(subject, budget);
  if (size <= 0) throw new TemplateError("'linecount' of batch must be at least 1");
  const fill = bound.value('fill_with', null);
  budget.items(items.length + (fill === null ? 0 : size));
  const batches: Value[][] = [];
  for (let index = 0; index < items.length; index += size) batches.push(items.slice(index, index + size));
  const last = batches.at(-1);
  while (fill !== null && last && last.length < size) last.push(fill);
  return generator(batches.map((one) => new List(one)));
};

const slice: FilterFunction = (subject, args, { budget }) => {
  const bound = bind(args, ['slices', 'fill_with'], 'slice');
  const count = bound.integer('slices');
  const items = itemsOf(subject, budget);
  if (count <= 0) throw new TemplateError("'slices' of slice must be at least 1");
  budget.items(items.length + count * 2);
  const size = Math.floor(items.length / count);
  const longer = items.length % count;
  const fill = bound.value('fill_with', null);
  const slices = Array.from({ length: count }, (_, index) => {
    const start = index * size + Math.min(index, longer);
    const part = items.slice(start, start + size + (index < longer ? 1 : 0));
    return new List(fill !== null && index >= longer ? [...part, fill] : part);
  });
  return generator(slices);
};

/** The first argument and the others. */
function splitFirst(args: CallArguments, filter: string): { first: Value; rest: CallArguments } {
  const [first, ...positional] = args.positional;
  if (first === undefined) throw new TemplateError(`${filter} needs an argument`);
  return { first, rest: { positional, named: args.named } };
}

function nameOf(value: Value, filter: string): string {
  const name = stringOf(value);
  if (name === undefined) throw new TemplateError(`${filter} needs a name`);
  return name;
}

const map: FilterFunction = (subject, args, context) => {
  const items = itemsOf(subject, context.budget);
  context.budget.items(items.length);
  if (args.positional.length === 0 && args.named.has('attribute')) {
    const bound = bind(args, ['attribute', 'default'], 'map');
    const get = attributeGetter(bound.required('attribute'), context.budget, bound.value('default', null));
    return generator(items.map(get));
  }
  const { first, rest } = splitFirst(args, 'map');
  const name = nameOf(first, 'map');
  return generator(items.map((item) => context.filter(name, item, rest)));
};

/** Filters that keep items by a test. */
function selection(name: string, keeps: boolean, byAttribute: boolean): FilterFunction {
  return (subject, args, context) => {
    const items = itemsOf(subject, context.budget);
    context.budget.items(items.length);
    const attribute = byAttribute ? splitFirst(args, name) : undefined;
    const get = attribute ? attributeGetter(attribute.first, context.budget) : (item: Value) => item;
    const matches = testOf(attribute?.rest ?? args, name, context);
    return generator(items.filter((item) => matches(get(item)) === keeps));
  };
}

function testOf(
  args: CallArguments,
  filter: string,
  { budget, test }: BuiltinContext,
): (item: Value) => boolean {
  if (args.positional.length === 0)
    return (item) => {
      budget.step();
      return isTruthy(item);
    };
  const { first, rest } = splitFirst(args, filter);
  const name = nameOf(first, filter);
  return (item) => test(name, item, rest);
}

const orDefault: FilterFunction = (subject, args) => {
  const bound = bind(args, ['default_value', 'boolean'], 'default');
  const isReplaced =
    subject instanceof Undefined || (isTruthy(bound.value('boolean', false)) && !isTruthy(subject));
  return isReplaced ? bound.value('default_value', '') : subject;
};

const first: FilterFunction = (subject, args, { budget }) => {
  bind(args, [], 'first');
  return orElse(itemsOf(subject, budget)[0], () => new Undefined('the first of no items'));
};

const last: FilterFunction = (subject, args, { budget }) => {
  bind(args, [], 'last');
  return orElse(itemsOf(subject, budget).at(-1), () => new Undefined('the last of no items'));
};

const items: FilterFunction = (subject, args, { budget }) => {
  bind(args, [], 'items');
  if (subject instanceof Undefined) return generator([]);
  if (!(subject instanceof Dict)) throw new TemplateError('items needs a dict');
  budget.items(subject.size);
  return generator(Array.from(subject.pairs(), ([key, value]) => new Tuple([key, value])));
};

const attr: FilterFunction = (subject, args, { budget }) => {
  const name = bind(args, ['name'], 'attr').text('name');
  return subject instanceof Dict
    ? new Undefined(`the attribute '${name}' of a dict`)
    : attributeOf(subject, name, budget);
};

export const SEQUENCE_FILTERS: Readonly<Record<string, FilterFunction>> = {
  attr,
  batch,
  default: orDefault,
  first,
  items,
  join,
  last,
  length: (subject, args, { budget }) => {
    bind(args, [], 'length');
    return BigInt(sizeOf(subject, budget));
  },
  list: (subject, args, { budget }) => {
    bind(args, [], 'list');
    const all = itemsOf(subject, budget);
    budget.items(all.length);
    return new List(Array.from(all));
  },
  map,
  reject: selection('reject', false, false),
  rejectattr: selection('rejectattr', false, true),
  reverse,
  select: selection('select', true, false),
  selectattr: selection('selectattr', true, true),
  slice,
  sum,
};
