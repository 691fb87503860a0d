import type { Metric } from '../api/metrics.js';

export type FieldValue = string | number | boolean;

/** What a person fills in: a metric that people score, and how. */
export interface Field {
  /** The key of its score. */
  readonly name: string;
  /** What to look at, as the metric words it. */
  readonly criteria: string;
  readonly kind: 'boolean' | 'options' | 'number' | 'text';
  /** What can be chosen, in the order of the keys 1 to 9. */
  readonly options: readonly { readonly label: string; readonly value: FieldValue }[];
  /** The highest number; null for any. */
  readonly scale: number | null;
}

/** Scales up to this one have a key for each number. */
const MAX_KEYS = 9;
/** More options than this are no choice that a person makes at a glance. */
const MAX_OPTIONS = 100;

/**
 * The fields of a queue: its metrics in its order, or every one that people score by name. Of several metrics of one name the newest counts.
 * @param metrics newest first, as the API lists them
 */
export function fieldsOf(metrics: readonly Metric[], ids: readonly string[] | undefined): readonly Field[] {
  const asked =
    ids === undefined
      ? [...metrics].sort((a, b) => a.name.localeCompare(b.name))
      : ids.flatMap((id) => metrics.find((metric) => metric.id === id) ?? []);
  const names = new Set<string>();
  return asked.filter(({ name }) => !names.has(name) && names.add(name)).map(toField);
}

function toField(metric: Metric): Field {
  const { name, criteria, scale } = metric;
  const about = { name, criteria, scale };
  switch (metric.return_type) {
    case 'boolean':
      return {
        ...{ ...about, kind: 'boolean' },
        options: [
          { label: 'yes', value: true },
          { label: 'no', value: false },
        ],
      };
    case 'categorical': {
      const categories = metric.categories?.slice(0, MAX_OPTIONS).map(({ category }) => category);
      if (categories === undefined) return { ...about, kind: 'text', options: [] };
      return { ...about, kind: 'options', options: categories.map((value) => ({ label: value, value })) };
    }
    case 'string':
      return { ...about, kind: 'text', options: [] };
    case 'float': {
      if (scale === null || scale > MAX_KEYS) return { ...about, kind: 'number', options: [] };
      const numbers = Array.from({ length: scale }, (_, at) => at + 1);
      return {
        ...about,
        kind: 'options',
        options: numbers.map((value) => ({ label: String(value), value })),
      };
    }
  }
}

/** What a person has filled in: the values by name of their field, as typed for numbers. */
export type Values = Readonly<Record<string, FieldValue>>;

/** A field may have any name, such as `constructor`. */
export const valueIn = (values: Values, name: string): FieldValue | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** Returns the scores of a request. What was left empty is not sent; the text of what is no number is sent, for the server to name. */
export function scoresOf(fields: readonly Field[], values: Values): Readonly<Record<string, FieldValue>> {
  const scores: [string, FieldValue][] = [];
  for (const { name, kind } of fields) {
    const value = valueIn(values, name);
    if (value === undefined || value === '') continue;
    const typed = kind === 'number' && typeof value === 'string' ? Number(value.trim()) : value;
    scores.push([name, typeof typed === 'number' && !Number.isFinite(typed) ? value : typed]);
  }
  return Object.fromEntries(scores);
}

/** Returns what the server says about one field, such as `must be from 1 to 3`; undefined when it speaks of something else. */
export function problemOfField(message: string, fields: readonly Field[]): [string, string] | undefined {
  for (const { name } of fields) {
    const start = `metrics.${printable(name)} `;
    if (message.startsWith(start)) return [name, message.slice(start.length)];
  }
  return undefined;
}

/** A name as the server prints it. */
const printable = (name: string) => name.replace(/[^\x20-\x7e]/g, '?').slice(0, 100);
