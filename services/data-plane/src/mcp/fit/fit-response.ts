import { parseExactJson } from '@assay/domain';
import type { Steps } from '@assay/runtime';
import { shorten, type Cut, type ShortenLimits } from './shorten.js';

/** Bytes of the text of one tool result, without what is said about cuts. */
export const MAX_RESULT_BYTES = 100_000;

/** Tried one after the other until the text fits. */
const LEVELS: readonly ShortenLimits[] = [
  { chars: 2_000, items: 200 },
  { chars: 500, items: 100 },
  { chars: 200, items: 50 },
  { chars: 100, items: 20 },
  { chars: 80, items: 5 },
];
/** Cuts that are named one by one. */
const MAX_NAMED_CUTS = 12;
const MAX_PATH_CHARS = 200;

export interface FittedText {
  readonly text: string;
  /** What was cut, in a sentence; absent when nothing was. */
  readonly note?: string;
}

/**
 * Returns JSON text of at most {@link MAX_RESULT_BYTES}. A longer one is parsed, and its long texts and lists are cut, as little as
 * is needed. In steps, because a text can have megabytes.
 */
export function* fitResponseSteps(text: string): Steps<FittedText> {
  if (Buffer.byteLength(text) <= MAX_RESULT_BYTES) return { text };
  const value = parseExactJson(text);
  for (const limits of LEVELS) {
    yield;
    const cuts: Cut[] = [];
    const short = JSON.stringify(shorten(value, limits, (cut) => cuts.push(cut)));
    if (Buffer.byteLength(short) <= MAX_RESULT_BYTES) return { text: short, note: describe(cuts) };
  }
  const part = Buffer.from(text)
    .subarray(0, MAX_RESULT_BYTES)
    .toString()
    .replace(/\ufffd$/, '');
  return {
    text: part,
    note: `The first ${Buffer.byteLength(part)} of ${Buffer.byteLength(text)} bytes; the JSON is incomplete.`,
  };
}

function describe(cuts: readonly Cut[]): string {
  const named = cuts
    .slice(0, MAX_NAMED_CUTS)
    .map(
      ({ path, kept, of, unit }) =>
        `${path.slice(0, MAX_PATH_CHARS) || 'the result'} has ${kept} of ${of} ${unit}`,
    );
  const more = cuts.length - named.length;
  return `Cut to stay below ${MAX_RESULT_BYTES} bytes: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}
