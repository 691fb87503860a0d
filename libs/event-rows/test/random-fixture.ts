import { randomUUID } from 'node:crypto';
import type { Event, Filter, FilterOperator, FilterType, JsonObject, JsonValue } from '@assay/domain';
import { sampleEvent } from './sample-event.js';

/** Returns a seeded generator of numbers in [0, 1) (mulberry32). */
export function randomFrom(seed: number): () => number {
  const state = { value: seed };
  return () => {
    state.value = (state.value + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state.value ^ (state.value >>> 15), 1 | state.value);
    const more = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((more ^ (more >>> 14)) >>> 0) / 2 ** 32;
  };
}

const KEYS = ['a', 'b', 'a.b', 'b.a', 'a.b.a', 'a=b', ''];
const TEXTS = [
  '',
  'x',
  'X',
  'true',
  'False',
  '5',
  '5.0',
  '-3e2',
  '2026-01-01',
  '2026-01-01T02:30:00.1239+02:30',
  '2026-02-30',
  '{"a":1}',
  'é',
  'b=x',
  'null',
  '1e+3',
];
const NUMBERS = [0, 5, -300, 0.5, 1e21, 1e20, 1_767_225_600_000, 1_767_225_600_000_000, 5e-7];
const ARRAYS: JsonValue[] = [[], [1], ['x'], [{ a: 'x' }]];
const BUCKET_NAMES = ['metadata', 'metrics', 'inputs', 'config'] as const;

function pick<T>(random: () => number, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

function randomValue(random: () => number, depth: number): JsonValue {
  const scalars: JsonValue[] = [
    pick(random, TEXTS),
    pick(random, NUMBERS),
    random() < 0.5,
    null,
    pick(random, ARRAYS),
    'y'.repeat(300),
  ];
  return depth > 0 && random() < 0.5
    ? randomObject(random, depth - 1)
    : (pick(
        random,
        scalars.map((value) => [value]),
      )[0] ?? null);
}

function randomObject(random: () => number, depth: number): JsonObject {
  const keys = KEYS.filter(() => random() < 0.45);
  return Object.fromEntries(keys.map((key) => [key, randomValue(random, depth)]));
}

/** Returns an event whose paths are ambiguous, of mixed types, and sometimes too many for the index. */
export function randomEvent(random: () => number, fields: Partial<Event>): Event {
  const buckets = Object.fromEntries(BUCKET_NAMES.map((name) => [name, randomObject(random, 3)]));
  const crowd =
    random() < 0.2 ? Object.fromEntries(Array.from({ length: 140 }, (_, i) => [`k${i}`, `v${i}`])) : {};
  return sampleEvent({ ...fields, ...buckets, event_id: randomUUID(), user_properties: crowd });
}

const OPERATORS: Readonly<Record<FilterType, readonly FilterOperator[]>> = {
  string: ['exists', 'not exists', 'is', 'is not', 'contains', 'not contains', 'in'],
  number: ['is', 'is not', 'greater than', 'less than', 'greater than or equal', 'less than or equal', 'in'],
  boolean: ['is', 'is not', 'in'],
  datetime: ['is', 'is not', 'after', 'before'],
};

/** Returns a checked filter on a path that the random events may have. */
export function randomFilter(random: () => number): Filter {
  const keys = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
    pick(random, ['a', 'b', 'a=b', '']),
  );
  const field = [pick(random, BUCKET_NAMES), ...keys].join('.');
  const type = pick(random, ['string', 'string', 'number', 'boolean', 'datetime'] as const);
  const operator = pick(random, OPERATORS[type]);
  return { field, operator, type, value: valueFor(random, type, operator) };
}

function valueFor(random: () => number, type: FilterType, operator: FilterOperator): Filter['value'] {
  const one = () =>
    type === 'string' ? pick(random, TEXTS) : type === 'boolean' ? random() < 0.5 : pick(random, NUMBERS);
  if (operator === 'in') return [one(), one()];
  return operator.endsWith('exists') ? null : one();
}
