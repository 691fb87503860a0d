import { FILTER_NAMES, TEST_NAMES } from '../src/builtin-names.js';
import { STRING_METHODS } from '../src/builtins/string-methods.js';
import { LIST_METHODS } from '../src/builtins/collection-methods.js';

const NAMES = (
  'text list dict none missing x loop leaked constructor prototype __proto__ __class__ toString process globalThis ' +
  'this self range namespace cycler joiner'
).split(' ');
const ATTRIBUTES = [...NAMES, 'a', 'b', ...STRING_METHODS.keys(), ...LIST_METHODS.keys()];
const CONSTANTS = [
  '0',
  '-1',
  '1.5',
  '2 ** 70',
  "'leaked'",
  "'a'",
  "'%s {}'",
  '[]',
  '{}',
  '(1,)',
  'true',
  'none',
];
const OPERATORS = ['+', '-', '*', '/', '//', '%', '**', '~', '==', '<', 'in', 'and', 'or'];
const MAX_DEPTH = 2;

/** Templates of a seed: most follow the grammar, and some are damaged. */
export class RandomTemplates {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): string {
    const source = Array.from({ length: 1 + this.#below(3) }, () => this.#statement(0)).join('');
    if (this.#below(8) > 0) return source;
    const at = this.#below(source.length);
    return (
      source.slice(0, at) +
      this.#pick(['{{', '%}', '.', '|', '(', "'", '\u0000', '\ud800', '#}']) +
      source.slice(at + 1)
    );
  }

  #statement(depth: number): string {
    const inner = () => (depth < 2 ? this.#statement(depth + 1) : 'y');
    const value = () => this.#expression(0);
    return this.#pick([
      () => `{{ ${value()} }}`,
      () => `{{ ${value()} }}`,
      () => `{% for x in ${value()} %}${inner()}{% else %}z{% endfor %}`,
      () => `{% if ${value()} %}${inner()}{% endif %}`,
      () => `{% set x = ${value()} %}${inner()}`,
      () => `{% macro m(a) %}${inner()}{% endmacro %}{{ m(${value()}) }}`,
      () => `{% filter ${this.#pick([...FILTER_NAMES])} %}${inner()}{% endfilter %}`,
      () => `{% with x = ${value()} %}${inner()}{% endwith %}`,
    ])();
  }

  #expression(depth: number): string {
    if (depth >= MAX_DEPTH) return this.#pick([...NAMES, ...CONSTANTS]);
    const value = () => this.#expression(depth + 1);
    return this.#pick([
      () => this.#pick(NAMES),
      () => this.#pick(CONSTANTS),
      () => `(${value()}).${this.#pick(ATTRIBUTES)}`,
      () => `(${value()})[${value()}]`,
      () => `(${value()}).${this.#pick(ATTRIBUTES)}(${this.#below(2) ? value() : ''})`,
      () => `(${value()})|${this.#pick([...FILTER_NAMES])}`,
      () => `(${value()})|${this.#pick([...FILTER_NAMES])}(${value()})`,
      () => `(${value()}) is ${this.#pick([...TEST_NAMES])}`,
      () => `(${value()}) ${this.#pick(OPERATORS)} (${value()})`,
      () => `[${value()}, ${value()}]`,
    ])();
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)] as Item;
  }

  /** An integer in [0, end): the generator is mulberry32. */
  #below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, end);
  }
}
