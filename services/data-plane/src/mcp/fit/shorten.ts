import type { JsonValue } from '@assay/domain';

/** What a value may keep. */
export interface ShortenLimits {
  /** Characters of a text. */
  readonly chars: number;
  /** Items of a list, and fields of an object. */
  readonly items: number;
}

/** What was left out of one text, list or object. */
export interface Cut {
  /** Path to the value, such as `events[3].metadata.prompt`. */
  readonly path: string;
  readonly kept: number;
  readonly of: number;
  readonly unit: 'characters' | 'items' | 'fields';
}

/** Keys of users can be long. */
const MAX_KEY_CHARS = 100;

/** Returns a copy of the value in which long texts, lists and objects have only their beginning, and reports every cut. */
export function shorten(value: JsonValue, limits: ShortenLimits, onCut: (cut: Cut) => void): JsonValue {
  return shortenAt(value, '', { limits, onCut });
}

interface Shortening {
  readonly limits: ShortenLimits;
  readonly onCut: (cut: Cut) => void;
}

function shortenAt(value: JsonValue, path: string, shortening: Shortening): JsonValue {
  if (typeof value === 'string') return shortenText(value, path, shortening);
  if (typeof value !== 'object' || value === null) return value;
  const { items } = shortening.limits;
  if (Array.isArray(value)) {
    report(shortening, { path, kept: items, of: value.length, unit: 'items' });
    return value.slice(0, items).map((item, index) => shortenAt(item, `${path}[${index}]`, shortening));
  }
  const fields = Object.entries(value);
  report(shortening, { path, kept: items, of: fields.length, unit: 'fields' });
  return Object.fromEntries(
    fields.slice(0, items).map(([key, field]) => {
      const name = key.slice(0, MAX_KEY_CHARS);
      return [name, shortenAt(field, path === '' ? name : `${path}.${name}`, shortening)];
    }),
  );
}

function shortenText(text: string, path: string, shortening: Shortening): string {
  const { chars } = shortening.limits;
  if (text.length <= chars) return text;
  report(shortening, { path, kept: chars, of: text.length, unit: 'characters' });
  // Half of a character outside of the basic plane is no valid text.
  return `${text.slice(0, chars).replace(/[\ud800-\udbff]$/, '')}…`;
}

function report({ onCut }: Shortening, cut: Cut): void {
  if (cut.kept < cut.of) onCut(cut);
}
