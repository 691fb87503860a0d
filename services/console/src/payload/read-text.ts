/** Texts of more bytes are cut until a person asks for the rest. */
export const MAX_SHOWN_TEXT_BYTES = 16_384;

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const decoder = new TextDecoder();

/** Part of a text. */
export interface TextPart {
  readonly text: string;
  /** Offset behind the part; the end of the content when nothing is left. */
  readonly end: number;
  /** Bytes that follow. */
  readonly left: number;
}

/**
 * Reads at most `maxBytes` of the content of a JSON text, between `from` and `to`, both without the quotes. A part never ends
 * inside a character or an escape sequence, nor between the two sequences of a surrogate pair.
 */
export function readTextPart(bytes: Uint8Array, from: number, to: number, maxBytes: number): TextPart {
  const end = to - from <= maxBytes ? to : boundaryBefore(bytes, from, from + Math.max(maxBytes, 12));
  return { text: unescapeText(decoder.decode(bytes.subarray(from, end))), end, left: to - end };
}

/** The content of the JSON text at `start`, cut to `maxBytes`. */
export function readText(bytes: Uint8Array, start: number, end: number, maxBytes: number): TextPart {
  return readTextPart(bytes, start + 1, end - 1, maxBytes);
}

/** Bytes exactly as they are. */
export function readRaw(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end));
}

/** One text of the bounded length of a part; the whole document is never parsed this way. */
function unescapeText(escaped: string): string {
  if (!escaped.includes('\\')) return escaped;
  try {
    const parsed: unknown = JSON.parse(`"${escaped}"`);
    return typeof parsed === 'string' ? parsed : escaped;
  } catch {
    return escaped;
  }
}

function boundaryBefore(bytes: Uint8Array, from: number, limit: number): number {
  let at = from;
  let last = from;
  while (at < limit) {
    last = at;
    at += unitLength(bytes, at);
  }
  return at === limit ? at : last;
}

/** Bytes of one character, escape sequence or escaped surrogate pair. */
function unitLength(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  if (byte !== BACKSLASH) return characterLength(byte);
  if (bytes[at + 1] !== LOWER_U) return 2;
  return isHighSurrogate(bytes, at) && bytes[at + 6] === BACKSLASH && bytes[at + 7] === LOWER_U ? 12 : 6;
}

function characterLength(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

/** `\ud8xx` to `\udbxx`. */
function isHighSurrogate(bytes: Uint8Array, at: number): boolean {
  const [first, second] = [bytes[at + 2] ?? 0, bytes[at + 3] ?? 0];
  return (first | 0x20) === 0x64 && '89abAB'.includes(String.fromCharCode(second));
}
