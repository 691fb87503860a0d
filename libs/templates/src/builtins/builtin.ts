import type { Budget } from '../limits.js';
import type { CallArguments, Value } from '../values/value.js';

/** What filters need beside their arguments. */
export interface BuiltinContext {
  readonly budget: Budget;
  /** Applies a filter by name. @throws TemplateError when it is unknown */
  readonly filter: (name: string, subject: Value, args: CallArguments) => Value;
  /** Applies a test by name. @throws TemplateError when it is unknown */
  readonly test: (name: string, subject: Value, args: CallArguments) => boolean;
}

export type FilterFunction = (subject: Value, args: CallArguments, context: BuiltinContext) => Value;
export type TestFunction = (subject: Value, args: CallArguments, context: BuiltinContext) => boolean;
/** A method of strings, lists, dicts or numbers. */
export type MethodFunction<Self> = (self: Self, args: CallArguments, budget: Budget) => Value;

export const NO_ARGS: CallArguments = { positional: [], named: new Map() };

export function positional(...values: readonly Value[]): CallArguments {
  return { positional: values, named: new Map() };
}
