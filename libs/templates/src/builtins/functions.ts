import { MAX_RANGE, type Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { bind } from '../values/arguments.js';
import { itemsOf } from '../values/iterate.js';
import {
  Callable,
  Dict,
  Namespace,
  View,
  refuseUndefined,
  type CallArguments,
  type TemplateObject,
  type Value,
} from '../values/value.js';

function range(args: CallArguments, budget: Budget): Value {
  const parameters = args.positional.length === 1 ? ['stop'] : ['start', 'stop', 'step'];
  const bound = bind(args, parameters, 'range');
  const [start, stop, step] = [bound.integer('start', 0), bound.integer('stop'), bound.integer('step', 1)];
  if (step === 0) throw new TemplateError('the step of range is zero');
  const count = Math.max(0, Math.ceil((stop - start) / step));
  if (count > MAX_RANGE) throw new TemplateError(`range has more than ${MAX_RANGE} items`);
  budget.items(count);
  const items = Array.from({ length: count }, (_, index) => BigInt(start + index * step));
  const text = step === 1 ? `range(${start}, ${stop})` : `range(${start}, ${stop}, ${step})`;
  return new View('range', items, text);
}

function dict(args: CallArguments, budget: Budget): Value {
  const made = new Dict();
  for (const [key, value] of pairsOf(args, 'dict', budget)) made.set(key, value, budget);
  return made;
}

function namespace(args: CallArguments, budget: Budget): Value {
  const made = new Namespace();
  for (const [key, value] of pairsOf(args, 'namespace', budget))
    made.attributes.set(attributeName(key), value);
  return made;
}

function attributeName(key: Value): string {
  if (typeof key !== 'string') throw new TemplateError('the attributes of a namespace have names');
  return key;
}

/** Pairs of the arguments of `dict()`: a dict or a list of pairs, then names. */
export function pairsOf(args: CallArguments, owner: string, budget: Budget): [Value, Value][] {
  if (args.positional.length > 1) throw new TemplateError(`${owner} takes at most one positional argument`);
  const [source] = args.positional;
  const pairs: [Value, Value][] = [];
  if (source instanceof Dict) pairs.push(...source.pairs());
  else if (source !== undefined) {
    refuseUndefined(source);
    for (const item of itemsOf(source, budget)) {
      const [key, value, ...rest] = itemsOf(item, budget);
      if (key === undefined || value === undefined || rest.length > 0)
        throw new TemplateError(`${owner} needs pairs`);
      pairs.push([key, value]);
    }
  }
  pairs.push(...args.named);
  budget.items(pairs.length);
  return pairs;
}

class Cycler implements TemplateObject {
  readonly objectType = 'Cycler';
  private index = 0;

  constructor(private readonly values: readonly Value[]) {}

  attribute(name: string): Value | undefined {
    if (name === 'current') return this.values[this.index];
    if (name === 'next') return new Callable('next', () => this.next());
    return name === 'reset' ? new Callable('reset', () => this.reset()) : undefined;
  }

  private next(): Value {
    const value = this.values[this.index] as Value;
    this.index = (this.index + 1) % this.values.length;
    return value;
  }

  private reset(): null {
    this.index = 0;
    return null;
  }
}

function cycler(args: CallArguments): Value {
  if (args.positional.length === 0 || args.named.size > 0)
    throw new TemplateError('cycler needs at least one value');
  return new Cycler(args.positional);
}

function joiner(args: CallArguments): Value {
  const separator = bind(args, ['sep'], 'joiner').value('sep', ', ');
  let isFirst = true;
  return new Callable('joiner', () => {
    const value = isFirst ? '' : separator;
    isFirst = false;
    return value;
  });
}

/** The closed table of functions. */
export const FUNCTIONS: ReadonlyMap<string, Callable> = new Map(
  Object.entries({ range, dict, namespace, cycler, joiner }).map(([name, call]) => [
    name,
    new Callable(name, call),
  ]),
);

/** Calls a value. @throws TemplateError when it cannot be called */
export function callValue(callee: Value, args: CallArguments, budget: Budget): Value {
  if (callee instanceof Callable) return callee.call(args, budget);
  refuseUndefined(callee);
  throw new TemplateError('a value that is not a function is called');
}
