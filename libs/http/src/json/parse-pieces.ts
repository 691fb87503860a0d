import { randomBytes } from 'node:crypto';
import { decodeUtf8, setOwn, type JsonObject, type JsonValue } from '@assay/domain';
import type { Steps } from '@assay/runtime';
import type { JsonCut, OpenContainer } from './json-cuts.js';

/** Key under which a piece continues an object or a list that began in an earlier one. A sender cannot know it. */
const CONTINUED = `\u007f${randomBytes(12).toString('base64url')}`;

const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Bytes beside a comma that stands between no two values. */
const NOT_BEFORE = new Set([OPEN_LIST, OPEN_OBJECT, COMMA, COLON]);
const NOT_BEHIND = new Set([CLOSE_LIST, CLOSE_OBJECT, COMMA, COLON]);

type Container = JsonValue[] | JsonObject;

/**
 * Parses JSON text in pieces, with the result of `JSON.parse`: an object with 99,000 keys would take it tens of milliseconds.
 * Yields before each piece. Each is made a text of its own: what is open at its start is opened before it, what is open at its end
 * is closed behind it.
 * @param cuts those that a scan of the text has found
 * @throws SyntaxError for exactly the texts that are no JSON
 */
export function* parsePiecesSteps(text: Buffer, cuts: readonly JsonCut[]): Steps<JsonValue> {
  const value = new GrowingValue();
  let start = 0;
  for (const { offset, open } of cuts) {
    yield;
    assertBetweenValues(text, offset);
    value.add(text.subarray(start, offset), open);
    start = offset + 1;
  }
  yield;
  return value.add(text.subarray(start), []);
}

/** A value of which a part is parsed. */
class GrowingValue {
  #root: JsonValue = null;
  #open: readonly OpenContainer[] = [];
  /** The values of what is open. */
  #values: readonly Container[] = [];

  /** Adds a piece, at whose end `open` is open. Returns the value so far. */
  add(piece: Buffer, open: readonly OpenContainer[]): JsonValue {
    const parsed = JSON.parse(opening(this.#open) + decodeUtf8(piece) + closing(open)) as JsonValue;
    if (this.#values.length === 0) this.#root = parsed;
    else this.#merge(parsed as Container);
    this.#values = this.#valuesOf(open);
    this.#open = open;
    return this.#root;
  }

  #merge(parsed: Container): void {
    let from: Container = parsed;
    for (const [level, to] of this.#values.entries()) {
      const isContinued = level < this.#values.length - 1;
      from = Array.isArray(to) ? addItems(to, from, isContinued) : addMembers(to, from, isContinued);
    }
  }

  #valuesOf(open: readonly OpenContainer[]): Container[] {
    const values: Container[] = [];
    for (const [level, container] of open.entries()) {
      const known = this.#open[level] === container ? this.#values[level] : undefined;
      values.push(known ?? this.#valueOf(container, values.at(-1)));
    }
    return values;
  }

  /** The value of a container that was opened last in `parent`. */
  #valueOf({ key = '' }: OpenContainer, parent: Container | undefined): Container {
    if (parent === undefined) return this.#root as Container;
    return (Array.isArray(parent) ? parent.at(-1) : parent[key]) as Container;
  }
}

/** Moves the items of a piece. Returns the first one when it continues an item of the list. */
function addItems(to: JsonValue[], from: Container, isContinued: boolean): Container {
  const items = from as JsonValue[];
  for (let at = isContinued ? 1 : 0; at < items.length; at++) to.push(items[at] as JsonValue);
  return items[0] as Container;
}

/** Moves the members of a piece. Returns the one that continues a member of the object. */
function addMembers(to: JsonObject, from: Container, isContinued: boolean): Container {
  const members = from as JsonObject;
  for (const key of Object.keys(members)) {
    if (key !== CONTINUED) setOwn(to, key, members[key] as JsonValue);
  }
  return (isContinued ? members[CONTINUED] : members) as Container;
}

function opening(open: readonly OpenContainer[]): string {
  return open
    .map(({ isList }, level) => (isList ? '[' : level < open.length - 1 ? `{"${CONTINUED}":` : '{'))
    .join('');
}

function closing(open: readonly OpenContainer[]): string {
  return open
    .map(({ isList }) => (isList ? ']' : '}'))
    .reverse()
    .join('');
}

/** @throws SyntaxError when a comma is not between two values, which the pieces beside it do not show */
function assertBetweenValues(text: Buffer, comma: number): void {
  let [before, behind] = [comma - 1, comma + 1];
  while (isSpace(text[before])) before--;
  while (isSpace(text[behind])) behind++;
  if (NOT_BEFORE.has(text[before] ?? COMMA) || NOT_BEHIND.has(text[behind] ?? COMMA))
    throw new SyntaxError('comma without a value');
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
