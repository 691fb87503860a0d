import { TemplateError } from '../template-error.js';
import { isEqual } from '../values/compare.js';
import { Callable, Tuple, Undefined, orElse, type Value } from '../values/value.js';

interface Loop {
  /** The variable `loop`. Calling it runs a recursive loop with other items. */
  readonly loop: Callable;
  /** Moves the loop to the item with this index. */
  readonly moveTo: (index: number) => void;
}

/** Creates the state of a loop; its attributes are those of Jinja2's `loop`. */
export function createLoop(
  items: readonly Value[],
  depth: number,
  recurse: ((iterable: Value) => string) | undefined,
): Loop {
  let index = 0;
  let lastChecked: Tuple | undefined;
  const item = (at: number, hint: string) => orElse(items[at], () => new Undefined(hint));
  const attributes: Readonly<Record<string, () => Value>> = {
    index: () => BigInt(index + 1),
    index0: () => BigInt(index),
    revindex: () => BigInt(items.length - index),
    revindex0: () => BigInt(items.length - index - 1),
    first: () => index === 0,
    last: () => index === items.length - 1,
    length: () => BigInt(items.length),
    depth: () => BigInt(depth),
    depth0: () => BigInt(depth - 1),
    previtem: () => item(index - 1, 'there is no previous item'),
    nextitem: () => item(index + 1, 'there is no next item'),
    cycle: () => new Callable('cycle', ({ positional }) => cycled(positional, index)),
    changed: () =>
      new Callable('changed', ({ positional }, budget) => {
        const value = new Tuple(positional);
        const hasChanged = lastChecked === undefined || !isEqual(value, lastChecked, budget);
        lastChecked = value;
        return hasChanged;
      }),
  };
  const loop = new Callable(
    'loop',
    ({ positional: [iterable] }) => {
      if (recurse === undefined) throw new TemplateError("only a loop with 'recursive' can be called");
      if (iterable === undefined) throw new TemplateError('loop needs an argument');
      return recurse(iterable);
    },
    (name) => (Object.hasOwn(attributes, name) ? attributes[name]?.() : undefined),
  );
  return { loop, moveTo: (at) => void (index = at) };
}

function cycled(values: readonly Value[], index: number): Value {
  const value = values[index % values.length];
  if (value === undefined) throw new TemplateError('cycle needs at least one value');
  return value;
}
