import { isJsonObject, isRawText, type JsonObject, type JsonValue, type RawText } from '@assay/domain';
import { ByteWriter } from './byte-writer.js';
import {
  decimal,
  hasHugeInteger,
  isHugeInteger,
  MAX_INDEXED_LENGTH,
  MAX_LEAVES,
} from '../leaves/index-leaves.js';
import { PathCache, type PathKey, type PathObject } from './path-cache.js';
import { SharedObjects } from './shared-objects.js';

export const COMMA = 0x2c;
export const OPEN = 0x7b;
export const CLOSE = 0x7d;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;

/** 1 for the characters of decimal numbers. */
const OF_DECIMAL = new Uint8Array(256);
for (const character of '+-.0123456789eE') OF_DECIMAL[character.charCodeAt(0)] = 1;

/** Protocol data is not indexed. That of the resource and of the scope is the same for many events. */
const PROTOCOL = new Set(['metadata.otel.', 'metadata.otel.resource.', 'metadata.otel.scope.']);

/** Keys above an object: none, some, or some of which one has a dot; or the object is not indexed. */
export const Nesting = { Root: 0, Below: 1, BelowDottedKey: 2, NotIndexed: 3 } as const;
export type Nesting = number;

/**
 * Writes the open objects of a row, as JSON text and as leaves of the index, in one walk. The result is that of
 * `indexLeaves` and `JSON.stringify`. A value that needs more than that ends the walk: a path that may lead to two
 * leaves, an integer that no number holds, NUL, or an unpaired surrogate.
 */
export class ObjectWalk {
  readonly json = new ByteWriter();
  /** Paths and values of the columns `attrs` and `nums`. */
  readonly attrs = new ByteWriter();
  readonly nums = new ByteWriter();
  attrCount = 0;
  numCount = 0;
  /** See `LeafIndex.complete`. */
  complete = true;
  /** Leaves for which the index has room. */
  protected left = MAX_LEAVES;
  protected readonly paths = new PathCache();
  private readonly shared = new SharedObjects();

  begin(): void {
    this.json.clear();
    this.attrs.clear();
    this.nums.clear();
    this.attrCount = 0;
    this.numCount = 0;
    this.complete = true;
    this.left = MAX_LEAVES;
    this.paths.begin();
  }

  /** Whether the last walk has ended at the number of new keys of its event. */
  get hasManyKeys(): boolean {
    return this.paths.isFull;
  }

  /** Writes the object of a field. @returns whether the walk reached the end */
  write(field: string, object: JsonObject): boolean {
    return this.object(object, this.paths.root(field), Nesting.Root);
  }

  private object(object: JsonObject, at: PathObject, nesting: Nesting): boolean {
    const { json } = this;
    let before = OPEN;
    for (const key in object) {
      const value = object[key];
      if (value === undefined) continue;
      const entry = this.paths.key(at, key);
      if (entry === undefined || (nesting !== Nesting.NotIndexed && collides(object, entry))) return false;
      json.byte(before);
      before = COMMA;
      json.copy(entry.json);
      if (!this.value(value, entry, nesting)) return false;
    }
    if (before === OPEN) json.byte(OPEN);
    json.byte(CLOSE);
    return true;
  }

  protected value(value: JsonValue, key: PathKey, nesting: Nesting): boolean {
    if (value === null) return this.literal('null');
    const leaf = this.leafOf(key, nesting);
    if (typeof value === 'string') return this.string(value, leaf);
    if (typeof value === 'number') return this.number(value, leaf);
    if (typeof value === 'boolean') return this.boolean(value, leaf);
    if (typeof value === 'bigint') return false;
    if (isRawText(value)) return this.rawText(value, leaf);
    return Array.isArray(value) ? this.list(value, key) : this.objectBelow(value, key, nesting);
  }

  /** The key of a scalar that is indexed. */
  protected leafOf(key: PathKey, nesting: Nesting): PathKey | undefined {
    const isIndexed =
      nesting < Nesting.BelowDottedKey || (nesting === Nesting.BelowDottedKey && !hasDot(key));
    return isIndexed ? key : undefined;
  }

  /** A text that is too long for the index; only one that is a number makes the index incomplete. */
  private rawText(value: RawText, key: PathKey | undefined): boolean {
    if (key !== undefined && mayBeDecimal(value.literal)) return this.string(value.toString(), key);
    this.json.copy(value.literal);
    return true;
  }

  /** Messages are walked, because they may be raw; other lists are not. */
  private list(items: JsonValue[], key: PathKey): boolean {
    if (!isJsonObject(items[0])) return this.unindexed(items);
    let before = OPEN_LIST;
    for (const item of items) {
      this.json.byte(before);
      before = COMMA;
      if (!this.value(item, key, Nesting.NotIndexed)) return false;
    }
    this.json.byte(CLOSE_LIST);
    return true;
  }

  private objectBelow(value: JsonObject, key: PathKey, nesting: Nesting): boolean {
    if (isProtocol(key)) return this.protocol(value, key);
    const below = nestingBelow(key, nesting);
    return below === undefined ? this.unindexed(value) : this.object(value, key.below, below);
  }

  /** Objects of the protocol are the same for many events. */
  protected protocol(value: JsonObject, key: PathKey): boolean {
    const known = this.shared.get(value);
    if (known !== undefined) {
      this.json.copy(known);
      return true;
    }
    const start = this.json.at;
    if (!this.object(value, key.below, Nesting.NotIndexed)) return false;
    this.shared.add(value, this.json.bytes, start, this.json.at);
    return true;
  }

  private unindexed(value: JsonObject | JsonValue[]): boolean {
    return !hasHugeInteger(value) && this.stringified(value);
  }

  private stringified(value: JsonValue): boolean {
    const text = JSON.stringify(value);
    if (text.includes('\\u0000') || text.includes('\\ud')) return false;
    this.json.utf8(text);
    return true;
  }

  private literal(text: string): boolean {
    this.json.utf8(text);
    return true;
  }

  private string(value: string, key: PathKey | undefined): boolean {
    const { json, attrs } = this;
    const start = json.at;
    const isPlain = json.plainString(value);
    if (!isPlain && !json.jsonString(value) && !this.stringified(value)) return false;
    if (key === undefined) return true;
    if (value.length > MAX_INDEXED_LENGTH) {
      if (decimal(value) !== undefined) this.complete = false;
      return true;
    }
    const path = this.roomFor(key);
    if (path === undefined) return true;
    this.attrCount += 1;
    attrs.copy(path);
    if (isPlain) {
      attrs.varint(value.length);
      attrs.copyFrom(json, start + 1, json.at - 1);
    } else attrs.text(value);
    const number = decimal(value);
    if (number !== undefined) this.addNumber(path, number);
    return true;
  }

  private number(value: number, key: PathKey | undefined): boolean {
    if (isHugeInteger(value)) return false;
    if (value >>> 0 === value && value < 2 ** 31) this.json.digits(value);
    else this.json.utf8(Number.isFinite(value) ? String(value) : 'null');
    const path = key && Number.isFinite(value) ? this.roomFor(key) : undefined;
    if (path !== undefined) this.addNumber(path, value);
    return true;
  }

  private boolean(value: boolean, key: PathKey | undefined): boolean {
    const text = value ? 'true' : 'false';
    this.json.utf8(text);
    const path = key && this.roomFor(key);
    if (path === undefined) return true;
    this.attrCount += 1;
    this.attrs.copy(path);
    this.attrs.text(text);
    return true;
  }

  protected addNumber(path: Buffer, value: number): void {
    this.numCount += 1;
    this.nums.copy(path);
    this.nums.float64(value);
  }

  /** The path of a leaf; undefined when the index has no room for it. */
  protected roomFor({ path }: PathKey): Buffer | undefined {
    if (path !== undefined && this.left > 0) {
      this.left -= 1;
      return path;
    }
    this.complete = false;
    return undefined;
  }
}

/** Whether the text of a literal may be a decimal number; false for every text with another character. */
function mayBeDecimal(literal: Buffer): boolean {
  const end = literal.length - 1;
  let at = 1;
  while (at < end && OF_DECIMAL[literal[at] as number] === 1) at++;
  return at === end;
}

function hasDot({ heads }: PathKey): boolean {
  return heads.length > 0;
}

/** The nesting of an object under a key; undefined when no filter finds it. */
export function nestingBelow(key: PathKey, nesting: Nesting): Nesting | undefined {
  if (nesting === Nesting.NotIndexed) return nesting;
  if (!hasDot(key)) return Math.max(nesting, Nesting.Below);
  return nesting === Nesting.Root ? Nesting.BelowDottedKey : undefined;
}

export function collides(object: JsonObject, { heads }: PathKey): boolean {
  for (const head of heads) if (Object.hasOwn(object, head)) return true;
  return false;
}

export function isProtocol({ below }: PathKey): boolean {
  return PROTOCOL.has(below.prefix);
}
