/** The search of the runtime compares a pattern of up to six characters in linear time. */
const PROBE_LENGTH = 6;

/**
 * Returns whether a text contains a pattern, in time that is linear in the text: the search of the runtime takes the
 * product of both lengths for patterns such as `baaa…`. It finds the first characters of the pattern, which is all that
 * most texts need; when comparing what follows them takes longer than the text, the rest is done by {@link containsByTable}.
 */
export function containsText(text: string, pattern: string): boolean {
  if (pattern.length > text.length) return false;
  if (pattern.length <= PROBE_LENGTH) return text.includes(pattern);
  const probe = pattern.slice(0, PROBE_LENGTH);
  let compared = 0;
  for (let at = text.indexOf(probe); at >= 0; at = text.indexOf(probe, at + 1)) {
    if (text.startsWith(pattern, at)) return true;
    compared += pattern.length;
    if (compared > text.length) return containsByTable(text, pattern, at + 1);
  }
  return false;
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
