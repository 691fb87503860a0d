/**
 * Index of a JSON document that lists its objects and arrays in the order of their first byte. It is built in one pass that
 * keeps no values; values are read from the bytes when a row shows them, so that opening a document costs no more than its length.
 */
export interface ByteIndex {
  readonly bytes: Uint8Array;
  /** Number of containers. Entries of the lists beyond it mean nothing. */
  readonly size: number;
  /** Offset of the opening bracket of each container. */
  readonly starts: Uint32Array;
  /** Offset behind the closing bracket. */
  readonly ends: Uint32Array;
  /** Index of the first container behind the container and all that it contains. */
  readonly next: Uint32Array;
  /** Number of members or elements. */
  readonly counts: Uint32Array;
}

/** One member of an object, one element of an array, or the document itself. */
export interface Entry {
  /** Offset of the key, which is a JSON text; -1 for elements. */
  readonly key: number;
  readonly start: number;
  readonly end: number;
  /** Index of the container; -1 for any other value. */
  readonly container: number;
  /** Position among the members or elements. */
  readonly ordinal: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COMMA = 0x2c;
const BLANK = 0x20;

/** Lists of equal length that grow together. */
class Containers {
  starts = new Uint32Array(1024);
  ends = new Uint32Array(1024);
  next = new Uint32Array(1024);
  counts = new Uint32Array(1024);
  size = 0;

  open(at: number, count: number): number {
    if (this.size === this.starts.length) this.grow();
    this.starts[this.size] = at;
    this.counts[this.size] = count;
    return this.size++;
  }

  close(container: number, end: number): void {
    this.ends[container] = end;
    this.next[container] = this.size;
  }

  private grow(): void {
    for (const name of ['starts', 'ends', 'next', 'counts'] as const) {
      const larger = new Uint32Array(this.size * 2);
      larger.set(this[name]);
      this[name] = larger;
    }
  }
}

/** Indexes a JSON document. Of bytes that end early, every open container ends with them. */
export function indexBytes(bytes: Uint8Array): ByteIndex {
  const containers = new Containers();
  const open: number[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at) - 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY)
      open.push(containers.open(at, firstCount(bytes, at)));
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) closeLast(containers, open, at + 1);
    else if (byte === COMMA) countOne(containers, open);
  }
  while (open.length > 0) closeLast(containers, open, bytes.length);
  const { size, starts, ends, next, counts } = containers;
  return { bytes, size, starts, ends, next, counts };
}

function closeLast(containers: Containers, open: number[], end: number): void {
  const last = open.pop();
  if (last !== undefined) containers.close(last, end);
}

function countOne(containers: Containers, open: readonly number[]): void {
  const last = open.at(-1);
  if (last !== undefined) containers.counts[last] = (containers.counts[last] ?? 0) + 1;
}

/** Members that are known from the opening bracket alone: none in front of a closing one, else one. */
function firstCount(bytes: Uint8Array, open: number): number {
  const byte = bytes[skipBlank(bytes, open + 1)];
  return byte === undefined || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY ? 0 : 1;
}

/** The document as an entry. */
export function rootEntry({ bytes, size, ends }: ByteIndex): Entry {
  const start = skipBlank(bytes, 0);
  const isContainer = size > 0 && isOpening(bytes[start]);
  const end = isContainer ? (ends[0] ?? 0) : endOfScalar(bytes, start);
  return { key: -1, start, end, container: isContainer ? 0 : -1, ordinal: 0 };
}

/** Calls `visit` for each member or element in order, until it returns false. Containers inside are skipped in one step. */
export function visitEntries(
  { bytes, starts, ends, next, counts }: ByteIndex,
  container: number,
  visit: (entry: Entry) => boolean | undefined,
): void {
  const open = starts[container] ?? 0;
  const isObject = bytes[open] === OPEN_OBJECT;
  const count = counts[container] ?? 0;
  let at = open + 1;
  let child = container + 1;
  for (let ordinal = 0; ordinal < count; ordinal++) {
    at = skipBlank(bytes, at);
    const key = isObject ? at : -1;
    if (isObject) at = skipBlank(bytes, skipBlank(bytes, endOfText(bytes, at)) + 1);
    const start = at;
    const isContainer = isOpening(bytes[at]);
    const inner = child;
    at = isContainer ? (ends[inner] ?? 0) : endOfScalar(bytes, at);
    if (isContainer) child = next[inner] ?? 0;
    if (visit({ key, start, end: at, container: isContainer ? inner : -1, ordinal }) === false) return;
    at = skipBlank(bytes, at) + 1;
  }
}

export function isObjectAt(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === OPEN_OBJECT;
}

export function isTextAt(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === QUOTE;
}

function isOpening(byte: number | undefined): boolean {
  return byte === OPEN_OBJECT || byte === OPEN_ARRAY;
}

function skipBlank(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] ?? 0) <= BLANK) at++;
  return at;
}

/** Offset behind the closing quote of the text that starts at `start`. */
export function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at + 1;
  }
  return bytes.length;
}

function endOfScalar(bytes: Uint8Array, start: number): number {
  if (bytes[start] === QUOTE) return endOfText(bytes, start);
  let at = start;
  while (at < bytes.length && !endsScalar(bytes[at] ?? 0)) at++;
  return at;
}

function endsScalar(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte <= BLANK;
}
