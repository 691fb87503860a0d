import { TemplateError } from '../template-error.js';
import { numericOf, stringOf } from './compare.js';
import { refuseUndefined, typeName, type CallArguments, type Value } from './value.js';

/** Arguments of a built-in by the names of its parameters. */
export class Bound {
  constructor(
    private readonly owner: string,
    private readonly values: ReadonlyMap<string, Value>,
  ) {}

  has(name: string): boolean {
    return this.values.has(name);
  }

  /** @throws TemplateError when it is missing */
  required(name: string): Value {
    const value = this.values.get(name);
    if (value === undefined) throw new TemplateError(`${this.owner} needs the argument '${name}'`);
    return value;
  }

  value(name: string, fallback: Value): Value {
    const value = this.values.get(name);
    return value === undefined ? fallback : value;
  }

  text(name: string, fallback?: string): string {
    const value = this.has(name) || fallback === undefined ? this.required(name) : fallback;
    const text = stringOf(value);
    if (text === undefined) throw this.wrongType(name, 'a string', value);
    return text;
  }

  optionalText(name: string): string | undefined {
    const value = this.values.get(name) ?? null;
    return value === null ? undefined : this.text(name);
  }

  /** A whole number that fits into a JavaScript number; larger ones become the largest. */
  integer(name: string, fallback?: number): number {
    if (!this.has(name) && fallback !== undefined) return fallback;
    const value = this.required(name);
    const number = numericOf(value);
    if (typeof number !== 'bigint') throw this.wrongType(name, 'an integer', value);
    return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(number)));
  }

  private wrongType(name: string, expected: string, value: Value): TemplateError {
    refuseUndefined(value);
    return new TemplateError(`'${name}' of ${this.owner} must be ${expected}, not '${typeName(value)}'`);
  }
}

const NO_VALUES: ReadonlyMap<string, Value> = new Map();

/** Assigns arguments to parameters. @throws TemplateError for too many, unknown or repeated arguments */
export function bind(args: CallArguments, parameters: readonly string[], owner: string): Bound {
  if (args.positional.length === 0 && args.named.size === 0) return new Bound(owner, NO_VALUES);
  const values = new Map<string, Value>();
  if (args.positional.length > parameters.length)
    throw new TemplateError(`${owner} takes at most ${parameters.length} arguments`);
  args.positional.forEach((value, index) => values.set(parameters[index] as string, value));
  for (const [name, value] of args.named) {
    if (!parameters.includes(name)) throw new TemplateError(`${owner} has no argument '${name}'`);
    if (values.has(name)) throw new TemplateError(`${owner} got the argument '${name}' twice`);
    values.set(name, value);
  }
  return new Bound(owner, values);
}
