import { isObjectAt, isTextAt, visitEntries, type ByteIndex, type Entry } from './byte-index.js';
import { readRaw, readText } from './read-text.js';

/** Number that a JavaScript number cannot hold digit for digit. */
export class ExactNumber {
  constructor(readonly digits: string) {}
}

/** Where the rest of something is that was cut: offsets in the bytes of the document. */
export interface CutRange {
  readonly start: number;
  /** Offset behind what is shown. */
  readonly shownTo: number;
  readonly end: number;
}

/** Something that is longer than what was asked for. */
export class CutValue {
  constructor(
    readonly beginning: string,
    readonly range: CutRange,
    /** Whether it is the beginning of a text, and not of an object or array. */
    readonly isText: boolean,
  ) {}

  get bytes(): number {
    return this.range.end - this.range.start;
  }
}

/** JSON value without loss: numbers keep their digits, and what was left out says so. */
export type Value = null | boolean | number | string | ExactNumber | CutValue | Value[] | ValueObject;
export interface ValueObject {
  readonly [key: string]: Value;
}

export interface ReadLimits {
  readonly maxTextBytes: number;
  readonly maxDepth: number;
  /** Objects and arrays beyond it are cut. */
  readonly maxValues: number;
}

export const MESSAGE_LIMITS: ReadLimits = { maxTextBytes: 16_384, maxDepth: 64, maxValues: 20_000 };

/** Reads a value within limits. The result has at most `maxValues` values and texts of at most `maxTextBytes`. */
export function readValue(index: ByteIndex, entry: Entry, limits: ReadLimits = MESSAGE_LIMITS): Value {
  const budget = { left: limits.maxValues };
  const read = (one: Entry, depth: number): Value => {
    budget.left--;
    if (one.container === -1) return readScalar(index.bytes, one, limits.maxTextBytes);
    if (depth >= limits.maxDepth || budget.left <= 0) return cutAt(index.bytes, one);
    return isObjectAt(index.bytes, one.start) ? readObject(one, depth) : readArray(one, depth);
  };
  const readObject = (one: Entry, depth: number): Value => {
    const fields: Record<string, Value> = Object.create(null) as Record<string, Value>;
    visitEntries(index, one.container, (member) => {
      fields[keyOf(index.bytes, member)] = read(member, depth + 1);
      return budget.left > 0;
    });
    return fields;
  };
  const readArray = (one: Entry, depth: number): Value => {
    const items: Value[] = [];
    visitEntries(index, one.container, (item) => {
      items.push(read(item, depth + 1));
      return budget.left > 0;
    });
    return items;
  };
  return read(entry, 0);
}

/** Key of a member, as text. */
export function keyOf(bytes: Uint8Array, { key, start }: Entry): string {
  let end = start - 1;
  while (end > key && bytes[end] !== 0x22) end--;
  return readText(bytes, key, end + 1, end - key + 1).text;
}

function readScalar(bytes: Uint8Array, { start, end }: Entry, maxTextBytes: number): Value {
  if (isTextAt(bytes, start)) {
    const { text, end: shownTo, left } = readText(bytes, start, end, maxTextBytes);
    return left === 0 ? text : new CutValue(text, { start: start + 1, shownTo, end: end - 1 }, true);
  }
  const raw = readRaw(bytes, start, end);
  if (raw === 'null') return null;
  if (raw === 'true' || raw === 'false') return raw === 'true';
  const number = Number(raw);
  return String(number) === raw ? number : new ExactNumber(raw);
}

function cutAt(bytes: Uint8Array, { start, end }: Entry): CutValue {
  const shownTo = Math.min(end, start + 200);
  return new CutValue(readRaw(bytes, start, shownTo), { start, shownTo, end }, false);
}

export function isValueObject(value: Value | undefined): value is ValueObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ExactNumber) &&
    !(value instanceof CutValue)
  );
}

/** The value as indented JSON text; numbers with the digits of the document. */
export function printValue(value: Value, indent = ''): string {
  if (value instanceof ExactNumber) return value.digits;
  if (value instanceof CutValue) return `${JSON.stringify(value.beginning)} … (${String(value.bytes)} bytes)`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => inner + printValue(item, inner))
    : Object.entries(value).map(
        ([key, item]) => `${inner}${JSON.stringify(key)}: ${printValue(item, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return lines.length === 0 ? open + close : `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}
