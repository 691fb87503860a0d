/** Markers that models put around their thoughts when the provider does not separate them from the answer. */
const THOUGHTS: readonly (readonly [open: string, close: string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<seed:think>', '</seed:think>'],
  ['[think]', '[/think]'],
  ['◁think▷', '◁/think▷'],
  ['<|start_thinking|>', '<|end_thinking|>'],
];
const CLOSE_OF: ReadonlyMap<string, string> = new Map(THOUGHTS);
const MARKER = new RegExp(THOUGHTS.flat().map(escaped).join('|'), 'giu');

/** Bounds the work on a reply. */
const MAX_MARKERS = 10_000;

interface Marker {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the reply of a model without its thoughts: blocks between markers, and what precedes a closing marker that was
 * never opened, because some chat templates open the thoughts in the prompt. A reply that begins with thoughts which are
 * not closed has no answer; elsewhere a marker that is not closed is text. A reply with more than 10,000 markers has no answer.
 */
export function finalAnswer(reply: string): string {
  const markers = markersOf(reply);
  if (markers.length > MAX_MARKERS) return '';
  const lastOf = new Map(markers.map(({ text, start }) => [text, start]));
  let kept: string[] = [];
  let from = 0;
  let isBegun = false;
  let closing: string | undefined;
  for (const { text, start, end } of markers) {
    const close = CLOSE_OF.get(text);
    if (closing !== undefined) {
      if (text === closing) [closing, from] = [undefined, end];
    } else if (close === undefined) {
      [kept, from, isBegun] = [[], end, false];
    } else {
      isBegun ||= /\S/.test(reply.slice(from, start));
      const isClosed = (lastOf.get(close) ?? -1) > start;
      if (!isClosed && !isBegun) return '';
      if (isClosed) kept.push(reply.slice(from, start));
      if (isClosed) closing = close;
    }
  }
  return [...kept, reply.slice(from)].join('').trim();
}

/** Returns the markers in their order; those that follow one beyond the maximum are not looked for. */
function markersOf(reply: string): Marker[] {
  const markers: Marker[] = [];
  for (const { 0: text, index: start } of reply.matchAll(MARKER)) {
    markers.push({ text: text.toLowerCase(), start, end: start + text.length });
    if (markers.length > MAX_MARKERS) break;
  }
  return markers;
}

function escaped(text: string): string {
  return text.replace(/[|[\]/]/g, '\\$&');
}
