import { finishSync } from '../../../steps.js';
import { emptyEvent } from '../../event.js';
import { FILTER_OPERATORS, type Filter, type FilterOperator } from '../filter.js';
import { filterMatcher } from '../matches-filter.js';
import { UNLIMITED_WORK } from './filter-work.js';

interface Texts {
  readonly stored: string;
  readonly pattern: string;
}

/** Texts of about n characters, with patterns whose length grows with them where a filter may have such a pattern. */
const KINDS: readonly [string, (n: number) => Texts][] = [
  ['plain text', (n) => ({ stored: 'the quick brown fox '.repeat(n / 20), pattern: 'lazy dog' })],
  ['surrogates', (n) => ({ stored: '😀'.repeat(n / 2), pattern: `${'😀'.repeat(400)}x` })],
  ['no match', (n) => ({ stored: 'x'.repeat(n), pattern: 'y' })],
  ['the worst short pattern', (n) => ({ stored: 'a'.repeat(n), pattern: `ab${'a'.repeat(998)}` })],
  ['a worst pattern', (n) => ({ stored: 'a'.repeat(n), pattern: `${'a'.repeat(999)}b` })],
  [
    'a worst pattern of an earlier release',
    (n) => ({ stored: 'a'.repeat(n), pattern: `b${'a'.repeat(n / 64)}` }),
  ],
  ['digits', (n) => ({ stored: `${'1'.repeat(n)}x`, pattern: '2' })],
];
const SHORT = 1_000_000;
const MAX_RATIO = 2.5;
const ATTEMPTS = 8;

function typesOf(operator: FilterOperator): Pick<Filter, 'type' | 'value'>[] {
  if (['exists', 'not exists'].includes(operator)) return [{ type: 'string', value: null }];
  if (['after', 'before'].includes(operator)) return [{ type: 'datetime', value: 1 }];
  const numbers = [
    { type: 'number', value: 1 },
    { type: 'datetime', value: 1 },
  ] as const;
  if (['is', 'is not', 'in'].includes(operator)) return [...numbers, { type: 'boolean', value: true }];
  return operator.includes('contains') ? [] : [...numbers];
}

function cpuMsOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Returns the least CPU time of a few runs, each of which matches a text that was not read before. */
function costOf(texts: Texts, operator: FilterOperator, isNested: boolean): number {
  const filters = [
    ...typesOf(operator),
    { type: 'string' as const, value: operator === 'in' ? ['x', texts.pattern] : texts.pattern },
  ].map((fields) => filterMatcher([{ field: 'inputs.t', operator, ...fields }]));
  const times = Array.from({ length: 3 }, () => {
    const stored = `${texts.stored} `.slice(0, -1);
    const event = { ...emptyEvent(), inputs: { t: isNested ? { deep: [stored, stored] } : stored } };
    return cpuMsOf(() => filters.forEach((matches) => finishSync(matches(event, UNLIMITED_WORK))));
  });
  return Math.min(...times);
}

describe('the time of a filter grows with its text', () => {
  const cases = FILTER_OPERATORS.flatMap((operator) =>
    KINDS.flatMap(([kind, texts]) =>
      [false, true].map((isNested) => ({
        operator,
        kind,
        texts,
        form: isNested ? 'an object' : 'a text',
        isNested,
      })),
    ),
  );

  it.each(cases)('$operator with $kind in $form', ({ operator, texts, isNested }) => {
    const ratios: number[] = [];
    do {
      const [short, long] = [SHORT, 2 * SHORT].map((n) => costOf(texts(n), operator, isNested));
      // What takes less than a few milliseconds has no ratio.
      ratios.push(Math.max(long!, 2) / Math.max(short!, 2));
    } while (ratios.at(-1)! > MAX_RATIO && ratios.length < ATTEMPTS);
    expect(Math.min(...ratios)).toBeLessThanOrEqual(MAX_RATIO);
  });
});
