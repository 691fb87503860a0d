import {
  isJsonObject,
  isRawText,
  jsonPiecesSteps,
  type JsonObject,
  type JsonValue,
  type ListedKeys,
} from '@assay/domain';
import type { Steps } from '@assay/runtime';
import type { ByteWriter } from '../fast/byte-writer.js';
import { decimal, MAX_INDEXED_LENGTH } from '../leaves/index-leaves.js';
import {
  CLOSE,
  CLOSE_LIST,
  collides,
  COMMA,
  isProtocol,
  Nesting,
  nestingBelow,
  ObjectWalk,
  OPEN,
  OPEN_LIST,
} from '../fast/object-walk.js';
import { repairedPathKey, type PathKey, type PathObject } from '../fast/path-cache.js';
import { hasHugeIntegerText, repairEscapes, writeHugeIntegersAsFloats } from '../fast/repair-json.js';
import { RowReader } from './row-reader.js';

const COLON = 0x3a;
/** Values between two steps: a fraction of a millisecond. */
const STEP_VALUES = 1_000;
/** Longer texts are written in steps. */
const LONG_TEXT = 65_536;
const NOTHING = Buffer.alloc(0);

/**
 * The walk of one event that an {@link ObjectWalk} does not reach the end of, in steps: it has more new keys, or values that a row
 * holds in another form. Other events are walked between the steps.
 */
export class WideWalk extends ObjectWalk {
  private values = 0;
  /** Whether one path may lead to two leaves. */
  private isAmbiguous = false;

  private hasHugeInteger = false;

  /** @param listed keys of objects of the event that are known already */
  constructor(private readonly listed?: ListedKeys) {
    super();
  }

  /** Walks objects of an event. When one has an integer beyond 64 bits, long integers of all of them are written in another form. */
  *writeAll(objects: ReadonlyMap<string, JsonObject>): Steps<number[]> {
    const ends = yield* this.writeOnce(objects);
    if (!this.hasHugeInteger) return ends;
    this.begin();
    return yield* this.writeOnce(objects);
  }

  /** Returns where the JSON text of each object ends. */
  private *writeOnce(objects: ReadonlyMap<string, JsonObject>): Steps<number[]> {
    const ends: number[] = [];
    for (const [field, object] of objects) {
      yield* this.objectSteps(object, this.paths.root(field), Nesting.Root);
      ends.push(this.json.at);
    }
    if (this.isAmbiguous) this.keepLastOfEach();
    return ends;
  }

  /** Of the leaves of a path, the last one counts. */
  private keepLastOfEach(): void {
    this.attrCount = keepLastOfEach(this.attrs, this.attrCount, (reader) => reader.skipText());
    this.numCount = keepLastOfEach(this.nums, this.numCount, (reader) => reader.float64());
  }

  private *objectSteps(object: JsonObject, at: PathObject, nesting: Nesting): Steps<void> {
    let before = OPEN;
    for (const key of this.listed?.get(object) ?? Object.keys(object)) {
      const value = object[key];
      if (value === undefined) continue;
      const entry = this.entryOf(at, key, value);
      if (value !== null && nesting !== Nesting.NotIndexed && collides(object, entry)) {
        this.complete = false;
        this.isAmbiguous = true;
      }
      this.json.byte(before);
      before = COMMA;
      this.writeKey(entry, key);
      yield* this.valueSteps(value, entry, nesting);
    }
    if (before === OPEN) this.json.byte(OPEN);
    this.json.byte(CLOSE);
  }

  private *valueSteps(value: JsonValue, key: PathKey, nesting: Nesting): Steps<void> {
    this.values += 1;
    if (this.values % STEP_VALUES === 0) yield;
    if (!isContainer(value)) {
      if (this.hasOtherForm(value) || !this.value(value, key, nesting))
        yield* this.otherForm(value, this.leafOf(key, nesting));
    } else if (Array.isArray(value)) yield* this.listSteps(value, key);
    else if (isProtocol(key)) yield* this.protocolSteps(value, key);
    else {
      const below = nestingBelow(key, nesting);
      if (below === undefined) yield* this.pieces(value);
      else yield* this.objectSteps(value, key.below, below);
    }
  }

  private *listSteps(items: JsonValue[], key: PathKey): Steps<void> {
    if (!isJsonObject(items[0])) return yield* this.pieces(items);
    let before = OPEN_LIST;
    for (const item of items) {
      this.json.byte(before);
      before = COMMA;
      yield* this.valueSteps(item, key, Nesting.NotIndexed);
    }
    this.json.byte(CLOSE_LIST);
  }

  private hasOtherForm(value: JsonValue): boolean {
    return typeof value === 'number'
      ? this.hasHugeInteger
      : typeof value === 'string' && value.length > LONG_TEXT;
  }

  private *protocolSteps(value: JsonObject, key: PathKey): Steps<void> {
    const start = this.json.at;
    if (!this.hasHugeInteger && this.protocol(value, key)) return;
    this.json.at = start;
    yield* this.objectSteps(value, key.below, Nesting.NotIndexed);
  }

  /** Writes a scalar that has another form in a row, or is long, and what a filter finds of it. */
  private *otherForm(value: JsonValue, key: PathKey | undefined): Steps<void> {
    yield* this.pieces(value);
    if (key === undefined) return;
    if (typeof value === 'number') {
      const path = Number.isFinite(value) ? this.roomFor(key) : undefined;
      if (path !== undefined) this.addNumber(path, value);
      return;
    }
    const text = typeof value === 'bigint' ? value.toString() : value;
    if (typeof text !== 'string') return;
    const number = typeof value === 'bigint' ? Number(value) : decimal(text);
    if (text.length > MAX_INDEXED_LENGTH) {
      if (number !== undefined) this.complete = false;
      return;
    }
    const path = this.roomFor(key);
    if (path === undefined) return;
    this.attrCount += 1;
    this.attrs.copy(path);
    this.attrs.text(text.replaceAll('\0', '\ufffd'));
    if (number !== undefined) this.addNumber(path, number);
  }

  /** Writes a value as a row holds it. */
  private *pieces(value: JsonValue): Steps<void> {
    const write = (piece: string, isWithinText: boolean) => {
      if (!isWithinText) this.hasHugeInteger ||= hasHugeIntegerText(piece);
      const mayHaveHuge = this.hasHugeInteger && !isWithinText;
      const text = repairEscapes(piece);
      this.json.utf8(mayHaveHuge ? writeHugeIntegersAsFloats(text) : text);
    };
    yield* jsonPiecesSteps(value, write, this.listed);
  }

  /** Encoding a key and its path costs more than walking a value, and the index has room for few. */
  private entryOf(at: PathObject, key: string, value: JsonValue): PathKey {
    if (this.left > 0 || isContainer(value) || key.includes('.'))
      return this.paths.key(at, key) ?? repairedPathKey(at, key);
    return { json: NOTHING, heads: [], path: undefined, below: at };
  }

  private writeKey({ json }: PathKey, key: string): void {
    if (json !== NOTHING) return this.json.copy(json);
    if (!this.json.plainString(key) && !this.json.jsonString(key))
      this.json.utf8(repairEscapes(JSON.stringify(key)));
    this.json.byte(COLON);
  }
}

function isContainer(value: JsonValue): value is JsonObject | JsonValue[] {
  return typeof value === 'object' && value !== null && !isRawText(value);
}

/** Keeps the last leaf of each path, in the place of the first one. Returns their number. */
function keepLastOfEach(leaves: ByteWriter, count: number, skipValue: (reader: RowReader) => void): number {
  const bytes = Buffer.from(leaves.bytes.subarray(0, leaves.at));
  const reader = new RowReader(bytes);
  const byPath = new Map<string, Buffer>();
  for (let left = count; left > 0; left--) {
    const start = reader.offset;
    reader.skipText();
    const path = bytes.toString('latin1', start, reader.offset);
    skipValue(reader);
    byPath.set(path, bytes.subarray(start, reader.offset));
  }
  leaves.clear();
  for (const leaf of byPath.values()) leaves.copy(leaf);
  return byPath.size;
}
