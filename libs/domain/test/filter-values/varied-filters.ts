import type { FilterInput } from '../../src/events/filter/accept-filters.js';
import type { JsonObject, JsonValue } from '../../src/json.js';
import { KEYS, NUMBERS, pick, TEXTS, variedValue, type Random } from './varied-values.js';

/** Objects of events that filters of the tests read. */
export const BUCKETS = [
  'inputs',
  'outputs',
  'metadata',
  'config',
  'user_properties',
  'feedback',
  'metrics',
] as const;
const FIELDS = [
  'event_name',
  'event_type',
  'source',
  'error',
  'session_name',
  'duration',
  'start_time',
  'end_time',
];

const OPERATORS = {
  string: [
    'exists',
    'not exists',
    'is',
    'is not',
    'contains',
    'not contains',
    'in',
    '$eq',
    '$ne',
    '$in',
    '=',
    '!=',
  ],
  number: ['is', 'is not', 'greater than', 'less than', '$gte', '$lte', '$gt', '$lt', '$ne', 'in', '>', '<='],
  boolean: ['exists', 'not exists', 'is', '='],
  datetime: ['is', 'is not', 'after', 'before', '$gte', '$lte', '>', '<'],
} as const;
type Type = keyof typeof OPERATORS;

/** Returns a filter on a value that one of the events may have, with that value, a part of it, or any other one. */
export function variedFilter(random: Random, events: readonly JsonObject[]): FilterInput {
  const { field, value } = random() < 0.85 ? placeIn(random, pick(random, events)) : anyPlace(random);
  if (random() < 0.12) return { field, operator: 'has', value: scalar(random, value) };
  if (random() < 0.1) return { field, value: { $gte: number(random, value), $lt: number(random, null) } };
  if (random() < 0.05)
    return {
      field: 'text',
      operator: pick(random, ['contains', 'not contains']),
      value: part(random, value),
    };
  const type = pick(random, ['string', 'string', 'string', typeOf(value), 'number', 'datetime'] as const);
  const operator = pick(random, OPERATORS[type]);
  const named = random() < 0.6 ? { type } : {};
  if (operator.endsWith('exists')) return { field, operator, value: null, ...named };
  const one = () => operand(random, type, value);
  if (operator === 'in' || operator === '$in') return { field, operator, value: [one(), one()], ...named };
  const isSearched = operator.endsWith('contains');
  return { field, operator, value: isSearched ? part(random, value) : one(), ...named };
}

/** The path of a value in an event, spelled in one of the ways that a filter may spell it. */
function placeIn(random: Random, event: JsonObject): { field: string; value: JsonValue } {
  if (random() < 0.12) {
    const field = pick(random, FIELDS);
    return { field, value: event[field] ?? null };
  }
  let field: string = pick(random, BUCKETS);
  let value: JsonValue = event[field] ?? {};
  for (let next = within(random, value); next && random() < 0.85; next = within(random, value)) {
    field += next.step;
    value = next.value;
  }
  return { field, value };
}

/** One of the items or keys of a value, as a filter may name it; undefined when it has none. */
function within(random: Random, value: JsonValue): { step: string; value: JsonValue } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const entries: [string, JsonValue][] = Object.entries(value);
  if (entries.length === 0) return undefined;
  const [key, inner] = pick(random, entries);
  if (!Array.isArray(value)) return { step: step(random, key), value: inner };
  const index = pick(random, ['*', '*', key, Number(key) - entries.length]);
  return { step: `[${index}]`, value: inner };
}

/** A key in quotes, or behind a dot unless that would not be a key. */
function step(random: Random, key: string): string {
  const isPlain = !/[[\]"']|^\d+$/.test(key);
  return isPlain && random() < 0.8 ? `.${key}` : key.includes('"') ? `['${key}']` : `["${key}"]`;
}

function anyPlace(random: Random): { field: string; value: JsonValue } {
  const keys = Array.from({ length: 1 + Math.floor(random() * 3) }, () => step(random, pick(random, KEYS)));
  return { field: `${pick(random, BUCKETS)}${keys.join('')}`, value: variedValue(random, 0) };
}

function typeOf(value: JsonValue): Type {
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'string';
}

function operand(random: Random, type: Type, value: JsonValue): JsonValue {
  if (type === 'number') return number(random, value);
  if (type === 'boolean') return random() < 0.5;
  if (type === 'datetime') return pick(random, ['2026-01-01', '2026-01-01T00:00:00Z', ...NUMBERS.slice(-3)]);
  return random() < 0.6 ? textOf(value) : pick(random, TEXTS);
}

function number(random: Random, value: JsonValue): number {
  return typeof value === 'number' && random() < 0.6 ? value : pick(random, NUMBERS);
}

function scalar(random: Random, value: JsonValue): JsonValue {
  const item = Array.isArray(value) && value.length > 0 ? pick(random, value) : value;
  return typeof item === 'object' ? pick(random, TEXTS) : item;
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A part of one of the texts within a value, perhaps in capital or in small letters. */
function part(random: Random, value: JsonValue): string {
  if (random() < 0.3) return pick(random, TEXTS);
  let inner = value;
  while (typeof inner === 'object' && inner !== null) {
    const values: JsonValue[] = Object.values(inner);
    if (values.length === 0) break;
    inner = pick(random, values);
  }
  const points = [...textOf(inner)];
  const from = Math.floor(random() * points.length);
  const text = points.slice(from, from + 1 + Math.floor(random() * 12)).join('');
  return pick(random, [text, text.toUpperCase(), text.toLowerCase()]);
}
