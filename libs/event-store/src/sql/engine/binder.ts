import type { Bindings, BoundValue } from './engine.js';

/** Types of bound values. Numbers travel as text, which keeps every digit. */
export type BoundType =
  | 'String'
  | 'UUID'
  | 'UInt64'
  | 'Array(String)'
  | 'Array(UUID)'
  | "Array(DateTime('UTC'))";

/** Collects the values of one statement: each becomes a numbered place, and never a part of the text. */
export class Binder {
  readonly #values: Record<string, BoundValue> = {};
  #count = 0;

  /** The place of a value, such as `{p0:String}`. */
  bind(value: BoundValue, type: BoundType): string {
    const name = `p${this.#count++}`;
    this.#values[name] = value;
    return `{${name}:${type}}`;
  }

  text(value: string): string {
    return this.bind(storedText(value), 'String');
  }

  number(value: number): string {
    return `toFloat64(${this.bind(String(value), 'String')})`;
  }

  texts(values: readonly string[]): string {
    return this.bind(values.map(storedText), 'Array(String)');
  }

  get bindings(): Bindings {
    return this.#values;
  }
}

/**
 * A text as the store keeps it: NUL and unpaired surrogates are U+FFFD there, so they are in what it is
 * compared with.
 */
function storedText(value: string): string {
  return Buffer.from(value).toString().replaceAll('\0', '\ufffd');
}
