/** Characters from which on a text is stored as media. */
export const MIN_MEDIA_LENGTH = 65_536;
/** Bytes between two looks at a JSON text: a base64 text of the length above is met several times. */
const STRIDE = 16_384;
/** Bytes of a look. Prose has another character among them. */
const PROBE = 64;
/** The part of a data URL before its base64 text, such as `data:image/png;base64,`. */
const DATA_URL = /^data:([^;,]*)(?:;[^,]*)?;base64,$/i;
const MAX_PREFIX = 256;
const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];

/** 1 for the characters of base64. */
const OF_BASE64 = new Uint8Array(256);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
  OF_BASE64[character.charCodeAt(0)] = 1;

/** The base64 text within a text value, as offsets in the JSON text that it is in. */
export interface FoundMedia {
  readonly start: number;
  readonly end: number;
  /** Media type of the data URL; empty without one. */
  readonly type: string;
  /** What the base64 text encodes. Encoded again it is the same text. */
  readonly content: Buffer;
}

/**
 * Finds the text values of a JSON text that are base64, or a data URL with it, from {@link MIN_MEDIA_LENGTH} on. It looks at a few bytes of
 * each stride, so that texts without such values cost next to nothing. A text with an escape, or that is not encoded canonically, is none.
 */
export function* findMedia(json: Buffer): Generator<FoundMedia> {
  for (let at = STRIDE; at < json.length; at += STRIDE) {
    if (!isBase64(json, at)) continue;
    const [open, close] = [json.lastIndexOf(QUOTE, at), json.indexOf(QUOTE, at)];
    if (open === -1 || close === -1) continue;
    const found = mediaBetween(json, open + 1, close);
    if (found !== undefined) yield found;
    // No byte is searched twice.
    at = close;
  }
}

function isBase64(json: Buffer, from: number): boolean {
  for (let at = from; at < from + PROBE; at++) if (OF_BASE64[json[at] ?? 0] === 0) return false;
  return true;
}

/** What is between two quotes: with base64 characters only, or a prefix before them, it is a text, and no other part of JSON. */
function mediaBetween(json: Buffer, from: number, end: number): FoundMedia | undefined {
  const isKey = json[end + 1] === COLON;
  if (end - from < MIN_MEDIA_LENGTH || isKey || json[from - 2] === BACKSLASH) return undefined;
  const prefix = prefixOf(json, from);
  if (prefix === undefined) return undefined;
  const start = from + prefix.length;
  if ((end - start) % 4 !== 0) return undefined;
  const text = json.toString('latin1', start, end);
  const content = Buffer.from(text, 'base64');
  if (content.toString('base64') !== text) return undefined;
  return { start, end, content, type: (DATA_URL.exec(prefix)?.[1] ?? '').toLowerCase() };
}

/** The prefix of a data URL, empty without one; undefined when there is another text before a comma. */
function prefixOf(json: Buffer, from: number): string | undefined {
  const comma = json.subarray(from, from + MAX_PREFIX).indexOf(COMMA);
  if (comma === -1) return '';
  const prefix = json.toString('latin1', from, from + comma + 1);
  return DATA_URL.test(prefix) && !prefix.includes('\\') ? prefix : undefined;
}
