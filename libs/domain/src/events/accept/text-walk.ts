import type { JsonObject, JsonValue } from '../../json.js';
import type { Steps } from '../../steps.js';

/** Bytes of JSON for each UTF-16 unit of a text at most: an escape. */
const MAX_BYTES_PER_UNIT = 6;
/** Bytes of JSON for a number, a literal, or the brackets of a list, and a separator at most. */
const MAX_BYTES_PER_VALUE = 26;
/** Bytes of JSON for the quotes of a text, and a separator. */
const BYTES_PER_TEXT = 3;
/** Bytes of JSON for an integer that a number does not hold: those of the largest number. */
const MAX_BYTES_PER_INTEGER = 320;
const SURROGATE = /[\ud800-\udfff]/;
/** A text that JSON holds as it is, in as many bytes. */
const PLAIN = /^[ !#-[\]-~]*$/;
/** Values between two steps: a fraction of a millisecond. */
const STEP_VALUES = 1_000;

/** Keys of the objects of a value that have so many that listing them again would take long. */
export type ListedKeys = ReadonlyMap<JsonObject, readonly string[]>;

/** What a walk tells of a value. */
export interface WalkedTexts {
  /** Whether it has no U+0000 and no surrogate, and its JSON, whose size may be overestimated, fits into the number of bytes. */
  readonly isSmallAndStorable: boolean;
  /** Undefined unless it has so many values that the walk has taken steps. */
  readonly listed: ListedKeys | undefined;
}

/** Walks the texts of a value, in steps when it has many values. */
export function* walkTexts(value: JsonValue, bytes: number): Steps<WalkedTexts> {
  const walk = new TextWalk(bytes);
  walk.value(value);
  if (!walk.isWide) return { isSmallAndStorable: walk.left >= 0, listed: undefined };
  yield* walk.rest();
  return { isSmallAndStorable: walk.left >= 0, listed: walk.listed ?? new Map() };
}

/** What is walked in steps, because it has many values or a step has been made. */
interface Rest {
  readonly container: JsonObject | JsonValue[];
  /** The keys of an object. */
  readonly keys: readonly string[] | undefined;
}

class TextWalk {
  listed: Map<JsonObject, readonly string[]> | undefined;
  /** Negative as soon as the value is too large, or has U+0000 or a surrogate. */
  left: number;
  /** Whether it pays to look at each text for its size: an estimate that is too large costs the JSON of the whole value. */
  private isExact = false;
  /** Values since the last step. */
  private values = 0;
  private later: Rest[] | undefined;

  constructor(bytes: number) {
    this.left = bytes;
  }

  value(value: JsonValue): void {
    if (typeof value === 'string') return this.text(value);
    this.left -= typeof value === 'bigint' ? MAX_BYTES_PER_INTEGER : MAX_BYTES_PER_VALUE;
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) this.items(value);
    else this.members(value);
  }

  /** Whether a part of the value is left for later. */
  get isWide(): boolean {
    return this.later !== undefined;
  }

  /** Walks what has been left for later. */
  *rest(): Steps<void> {
    this.isExact = true;
    const later = (this.later ??= []);
    for (let next = later.pop(); next !== undefined && this.left >= 0; next = later.pop()) {
      const { container, keys } = next;
      const { length } = keys ?? (container as JsonValue[]);
      for (let at = 0; at < length && this.left >= 0; at += STEP_VALUES) {
        yield;
        this.values = 0;
        const end = Math.min(at + STEP_VALUES, length);
        if (keys) this.membersOf(container as JsonObject, keys, [at, end]);
        else this.itemsOf(container as JsonValue[], at, end);
      }
    }
  }

  private text(text: string): void {
    if (this.isExact && PLAIN.test(text)) this.left -= text.length + BYTES_PER_TEXT;
    else if (text.includes('\0') || SURROGATE.test(text)) this.left = -1;
    else this.left -= MAX_BYTES_PER_UNIT * text.length + BYTES_PER_TEXT;
  }

  private items(items: JsonValue[]): void {
    if (this.isTooMany(items.length)) this.leave({ container: items, keys: undefined });
    else this.itemsOf(items, 0, items.length);
  }

  private itemsOf(items: readonly JsonValue[], start: number, end: number): void {
    for (let at = start; at < end && this.left >= 0; at++) this.value(items[at] as JsonValue);
  }

  private members(object: JsonObject): void {
    const keys = Object.keys(object);
    if (keys.length > STEP_VALUES) (this.listed ??= new Map()).set(object, keys);
    if (this.isTooMany(keys.length)) this.leave({ container: object, keys });
    else this.membersOf(object, keys, [0, keys.length]);
  }

  private membersOf(object: JsonObject, keys: readonly string[], [start, end]: readonly [number, number]) {
    for (let at = start; at < end && this.left >= 0; at++) {
      const key = keys[at] as string;
      this.text(key);
      if (this.left >= 0) this.value(object[key] as JsonValue);
    }
  }

  private leave(rest: Rest): void {
    (this.later ??= []).push(rest);
  }

  private isTooMany(values: number): boolean {
    this.values += values;
    return this.values > STEP_VALUES;
  }
}
