import { FILTER_NAMES, TEST_NAMES } from '../src/builtin-names.js';
import { DICT_METHODS, LIST_METHODS, TUPLE_METHODS } from '../src/builtins/collection-methods.js';
import { FUNCTIONS } from '../src/builtins/functions.js';
import { STRING_METHODS } from '../src/builtins/string-methods.js';

/** Variables of {@link OPERATIONS}: a text, a part to look for, and a list, tuple and dict of texts. */
export const DECLARATIONS = '{% set u = (p[:8], 0) * (l|length) %}';
const TEXT_ARGUMENTS = ['', 'p', '1, p', 'p, t', 'l', 'n=p, t=t'];
const ITEM_ARGUMENTS = ['', 't', '1', "attribute='a'", '"string"'];
const withArguments = (call: string, args: string) => (args === '' ? call : `${call}(${args})`);

/** An expression for every entry of the tables of operations, with arguments of several shapes; some are refused. */
export const OPERATIONS: readonly string[] = [
  ...[...FILTER_NAMES].flatMap((name) => [
    // Grouping characters by a default compares it as often as there are characters.
    ...TEXT_ARGUMENTS.filter((args) => name !== 'groupby' || args !== '1, p').map(
      (args) => `t|${withArguments(name, args)}`,
    ),
    ...['l', 'u', 'd'].flatMap((subject) =>
      ITEM_ARGUMENTS.map((args) => `${subject}|${withArguments(name, args)}`),
    ),
  ]),
  ...[...TEST_NAMES].flatMap((name) =>
    ['t', 'l', 'd'].flatMap((subject) =>
      ['', 'p', 't'].map((args) => `${subject} is ${withArguments(name, args)}`),
    ),
  ),
  ...[...STRING_METHODS.keys()].flatMap((name) =>
    [...TEXT_ARGUMENTS, '1', 'u', 'p, 1, -1'].map((args) => `t.${name}(${args})`),
  ),
  ...[
    ...[...LIST_METHODS.keys()].map((name) => ['l', name] as const),
    ...[...TUPLE_METHODS.keys()].map((name) => ['u', name] as const),
    ...[...DICT_METHODS.keys()].map((name) => ['d', name] as const),
  ].flatMap(([subject, name]) => ['', 't', '0, t', 'l', 'u'].map((args) => `${subject}.${name}(${args})`)),
  ...[...FUNCTIONS.keys()].flatMap((name) =>
    ['', 't', 'd', '**d', '*l', 'd.items()'].map((args) => `${name}(${args})`),
  ),
  ...['+', '-', '*', '/', '//', '%', '**', '==', '<', 'in', 'not in', '~'].flatMap((operator) =>
    ['t', 'l', 'u', 'd', 'p', '7 ** 4000'].flatMap((left) =>
      ['t', 'p', 'l', 'd', '3', '7 ** 2000'].map((right) => `(${left}) ${operator} ${right}`),
    ),
  ),
  ...['0', '-1', '1:', '::2', '::-1', '"a"', 't', 'u'].flatMap((index) =>
    ['t', 'l', 'u', 'd'].map((subject) => `${subject}[${index}]`),
  ),
];

/** Texts of about a length, each with a part to look for. */
export const PATTERNS: Readonly<Record<string, (length: number) => readonly [text: string, part: string]>> = {
  'plain text': (n) => ['ab c'.repeat(n / 4), 'b'],
  surrogates: (n) => ['😀'.repeat(n / 2), '😀'],
  'a match that almost begins': (n) => ['a'.repeat(n), `${'a'.repeat(n / 4)}b`],
  'a match that almost ends': (n) => ['a'.repeat(n), `b${'a'.repeat(n / 4)}`],
  'names without an end': (n) => ['%('.repeat(n / 2), '%('],
  'fields without an end': (n) => ['{['.repeat(n / 2), '{:{'],
  'tags without an end': (n) => ['<!--<'.repeat(n / 5), '&#'],
  'digits and hyphens': (n) => ['1'.repeat(n), `${'1-'.repeat(n / 4)}_`],
  'letters with a longer case': (n) => ['ΐ'.repeat(n), 'ΐ'],
  'characters to escape': (n) => ['\u0001<'.repeat(n / 2), '<'],
  'white space inside of words': (n) => [`a${'\u00a0'.repeat(n)}b`, ` ${'\u00a0\n'.repeat(n / 4)}`],
};

/** Variables with a text of about a length. */
export function variablesOf(pattern: string, length: number): object {
  const [t, p] = PATTERNS[pattern]!(length);
  const l = Array.from({ length: length / 64 }, (_, index) => `${t.slice(0, 48)}${index}`);
  return { t, p, l, d: Object.fromEntries(l.map((item) => [item, item])) };
}
