/** Characters of a pattern that the search of the runtime looks for. */
const PROBE_LENGTH = 6;
/** Beginnings of a pattern among which the probe is chosen. */
const MAX_STARTS = 32;
/** Shorter texts are searched without a sample, which costs as much. */
const MIN_SAMPLED_LENGTH = 4_096;
const SAMPLES = 128;
/** A character that is more frequent in the sample is no beginning of a probe. */
const MAX_COUNT = SAMPLES / 16;

/**
 * Returns whether a text contains a pattern, in time that is linear in the text: the search of the runtime takes the
 * product of both lengths for patterns such as `baaa…`, and stops at each occurrence of the first character. It finds a few characters of
 * the pattern that begin with one that is rare in the text, which is all that most texts need. When there is none, or when comparing what
 * surrounds them takes longer than the text, {@link containsByTable} does the rest.
 */
export function containsText(text: string, pattern: string): boolean {
  if (pattern.length > text.length) return false;
  const start = text.length < MIN_SAMPLED_LENGTH ? 0 : rareStart(text, pattern);
  if (start === undefined) return containsByTable(text, pattern, 0);
  const probe = pattern.slice(start, start + PROBE_LENGTH);
  if (probe.length === pattern.length) return text.includes(pattern);
  let compared = 0;
  for (let at = text.indexOf(probe, start); at >= 0; at = text.indexOf(probe, at + 1)) {
    if (text.startsWith(pattern, at - start)) return true;
    compared += pattern.length;
    if (compared > text.length) return containsByTable(text, pattern, at - start + 1);
  }
  return false;
}

/** Returns where the character of the pattern is that is rarest in a sample of the text; undefined when all of them are frequent. */
function rareStart(text: string, pattern: string): number | undefined {
  const counts = new Map<number, number>();
  // An odd step, so that a text of repeated pieces does not show the same part of each.
  const step = Math.floor(text.length / SAMPLES) | 1;
  for (let sample = 0, at = 0; sample < SAMPLES; sample++, at += step) {
    const unit = text.charCodeAt(at % text.length);
    counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  let [rarest, least] = [0, SAMPLES];
  for (let at = 0; at < Math.min(pattern.length, MAX_STARTS) && least > 0; at++) {
    const count = counts.get(pattern.charCodeAt(at)) ?? 0;
    if (count < least) [rarest, least] = [at, count];
  }
  return pattern === '' || least <= MAX_COUNT ? rarest : undefined;
}

/** The search of Knuth, Morris and Pratt: no character of the text is read again. */
function containsByTable(text: string, pattern: string, from: number): boolean {
  const borders = bordersOf(pattern);
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && pattern.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (pattern.charCodeAt(matched) === unit) matched++;
    if (matched === pattern.length) return true;
  }
  return false;
}

/** For each beginning of the pattern: the length of the longest shorter beginning that it ends with. */
function bordersOf(pattern: string): Int32Array {
  const borders = new Int32Array(pattern.length);
  let length = 0;
  for (let at = 1; at < pattern.length; at++) {
    const unit = pattern.charCodeAt(at);
    while (length > 0 && pattern.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
    if (pattern.charCodeAt(length) === unit) length++;
    borders[at] = length;
  }
  return borders;
}
