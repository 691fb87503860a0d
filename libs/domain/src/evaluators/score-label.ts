import type { JsonValue } from '../json.js';

/** Returns a score as a label for the agreement of raters; undefined for anything but a text, number or boolean. */
export function scoreLabel(score: JsonValue | undefined): string | undefined {
  return typeof score === 'string' || typeof score === 'number' || typeof score === 'boolean'
    ? String(score)
    : undefined;
}
