import type { Budget } from '../limits.js';
import { TemplateError } from '../template-error.js';

/**
 * A value of a template. Integers are bigints and floats are numbers, so that `1` and `1.0` differ as in Python. Everything else is plain
 * data or one of these classes: a value has no prototype, function or property of JavaScript that a template can reach.
 */
export type Value =
  | string
  | bigint
  | number
  | boolean
  | null
  | Undefined
  | Markup
  | Collection
  | Callable
  | Namespace
  | TemplateObject;

/** What a name, attribute or item without a value is. Prints empty and is false. */
export class Undefined {
  constructor(readonly hint: string) {}
}

/** A string that is safe in HTML: `tojson` and `escape` return it. Text added to it is escaped. */
export class Markup {
  constructor(readonly text: string) {}
}

export type Collection = List | Tuple | Dict | View;

/** A list; changes are seen by every reference to it. */
export class List {
  private loaded: Value[] | undefined;

  /** @param source the items, or a function that makes them when they are first needed */
  constructor(private readonly source: Value[] | (() => Value[])) {}

  get items(): Value[] {
    return (this.loaded ??= typeof this.source === 'function' ? this.source() : this.source);
  }
}

export class Tuple {
  /** @param names attributes of the first items */
  constructor(
    readonly items: readonly Value[],
    readonly names: readonly string[] = [],
  ) {}
}

/** Keys, values or items of a dictionary; also a range and the result of a lazy filter, under its Python type. */
export class View {
  constructor(
    readonly type: 'dict_keys' | 'dict_values' | 'dict_items' | 'range' | 'generator',
    readonly items: readonly Value[],
    /** Text of a range. */
    readonly text = '',
  ) {}
}

/** A dictionary in the order of insertion. Keys that are equal in Python, such as `1`, `1.0` and `true`, are the same. */
export class Dict {
  private loaded: Map<unknown, [key: Value, value: Value]> | undefined;

  /** @param load makes the pairs when they are first needed */
  constructor(private readonly load?: () => Iterable<[key: string, value: Value]>) {}

  private get entries(): Map<unknown, [key: Value, value: Value]> {
    if (this.loaded) return this.loaded;
    this.loaded = new Map();
    for (const pair of this.load?.() ?? []) this.loaded.set(pair[0], pair);
    return this.loaded;
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: Value, budget: Budget): Value | undefined {
    return this.entries.get(identity(key, budget))?.[1];
  }

  has(key: Value, budget: Budget): boolean {
    return this.entries.has(identity(key, budget));
  }

  set(key: Value, value: Value, budget: Budget): void {
    const id = identity(key, budget);
    const entry = this.entries.get(id);
    if (entry) entry[1] = value;
    else this.entries.set(id, [key, value]);
  }

  delete(key: Value, budget: Budget): void {
    this.entries.delete(identity(key, budget));
  }

  clear(): void {
    this.entries.clear();
  }

  pairs(): IterableIterator<[key: Value, value: Value]> {
    return this.entries.values();
  }
}

/**
 * Hash identity of a key, unique among values that compare equal. Charges the characters that hashing and comparing it read.
 * @throws TemplateError for values that may change
 */
function identity(key: Value, budget: Budget): unknown {
  const text = key instanceof Markup ? key.text : key;
  if (typeof text === 'string') {
    budget.scan(text.length);
    return text;
  }
  if (typeof key === 'boolean') return key ? 1n : 0n;
  if (typeof key === 'number') return Number.isInteger(key) ? BigInt(key) : key;
  if (key instanceof Tuple) return `\0${key.items.map((item) => tupleIdentity(item, budget)).join('\0')}`;
  if (key instanceof List || key instanceof Dict || key instanceof View)
    throw new TemplateError(`a ${typeName(key)} cannot be the key of a dict`);
  return key;
}

function tupleIdentity(item: Value, budget: Budget): string {
  budget.step();
  const id = identity(item, budget);
  const text = String(id);
  budget.text(text.length);
  return `${typeof id}:${text.length}:${text}`;
}

/** An object whose attributes a template may set. */
export class Namespace {
  readonly attributes = new Map<string, Value>();
}

/** An object with fixed attributes: the `loop` of a loop, or a cycler. */
export interface TemplateObject {
  readonly objectType: string;
  attribute(name: string): Value | undefined;
}

export interface CallArguments {
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/** Something that a template may call: an entry of a closed table, or a macro. */
export class Callable {
  constructor(
    readonly name: string,
    readonly call: (args: CallArguments, budget: Budget) => Value,
    readonly attribute: (name: string) => Value | undefined = () => undefined,
  ) {}
}

export function isTemplateObject(value: Value): value is TemplateObject {
  return typeof value === 'object' && value !== null && 'objectType' in value;
}

/** Name of the Python type, for messages. */
export function typeName(value: Value): string {
  if (value === null) return 'None';
  if (typeof value === 'object') return classNameOf(value);
  const names = { string: 'str', bigint: 'int', number: 'float', boolean: 'bool' } as const;
  return names[typeof value as keyof typeof names];
}

function classNameOf(value: Exclude<Value & object, null>): string {
  if (value instanceof List) return 'list';
  if (value instanceof Tuple) return 'tuple';
  if (value instanceof Dict) return 'dict';
  if (value instanceof View) return value.type;
  if (value instanceof Markup) return 'str';
  if (value instanceof Undefined) return 'undefined';
  if (value instanceof Callable) return 'function';
  if (value instanceof Namespace) return 'namespace';
  return value.objectType;
}

/** Returns a value, or another one when there is none; unlike `??` it keeps None. */
export function orElse(value: Value | undefined, other: () => Value): Value {
  return value === undefined ? other() : value;
}

/** @throws TemplateError that says what is undefined */
export function refuseUndefined(value: Value): void {
  if (value instanceof Undefined) throw new TemplateError(`${value.hint} is undefined`);
}
