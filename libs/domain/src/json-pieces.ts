import { chunksOfText } from './text-chunks.js';
import { isJsonObject, type JsonObject, type JsonValue } from './json.js';
import './raw-json.js';
import { isRawText } from './raw-text.js';
import type { Steps } from './steps.js';

/** Characters of a piece at most, unless one character of a text has a longer escape: a fraction of a millisecond. */
const PIECE_COST = 65_536;
/** Of a value beside its characters: a piece has about a thousand values. */
const VALUE_COST = 64;
/** Objects with fewer keys are listed again. */
const MANY_KEYS = 1_000;

/**
 * Receives a part of a JSON text, which no character of a text and no number extends beyond, and whether the part is from within the
 * quotes of a text.
 */
export type TakePiece = (piece: string, isWithinText: boolean) => void;

/**
 * Writes the JSON text of a value, exactly as `JSON.stringify` does, in pieces between which it can be interrupted. A small value is one
 * piece.
 * @param listed keys of objects that are known already
 */
export function* jsonPiecesSteps(
  value: JsonValue,
  take: TakePiece,
  listed?: ReadonlyMap<JsonObject, readonly string[]>,
): Steps<void> {
  yield* new JsonPieces(take, listed).write(value);
}

/** Returns the UTF-8 bytes of the JSON text of a value, in steps as {@link jsonPiecesSteps}. */
export function* jsonBytesSteps(value: JsonValue): Steps<Buffer> {
  const parts: Buffer[] = [];
  yield* jsonPiecesSteps(value, (piece) => parts.push(Buffer.from(piece)));
  const [only = Buffer.alloc(0)] = parts;
  return parts.length === 1 ? only : Buffer.concat(parts);
}

class JsonPieces {
  private readonly keys: Map<JsonObject, readonly string[]>;

  constructor(
    private readonly take: TakePiece,
    listed: ReadonlyMap<JsonObject, readonly string[]> = new Map(),
  ) {
    this.keys = new Map(listed);
  }

  *write(value: JsonValue): Steps<void> {
    if (this.cost(value, PIECE_COST) <= PIECE_COST) return this.take(JSON.stringify(value), false);
    if (Array.isArray(value)) return yield* this.items(value);
    if (isRawText(value)) return yield* this.text(value.toString());
    if (isJsonObject(value)) return yield* this.members(value);
    if (typeof value === 'string') return yield* this.text(value);
    this.take(JSON.stringify(value), false);
  }

  private *items(items: readonly JsonValue[]): Steps<void> {
    this.take('[', false);
    for (let at = 0; at < items.length;) {
      yield;
      if (at > 0) this.take(',', false);
      const end = this.endOfPiece(at, items.length, (index) => items[index]);
      if (end === at) yield* this.write(items[at++] ?? null);
      else this.take(JSON.stringify(items.slice(at, end)).slice(1, -1), false);
      at = Math.max(at, end);
    }
    this.take(']', false);
  }

  private *members(object: JsonObject): Steps<void> {
    const keys = this.keysOf(object).filter((key) => object[key] !== undefined);
    this.take('{', false);
    for (let at = 0; at < keys.length;) {
      yield;
      if (at > 0) this.take(',', false);
      const end = this.endOfPiece(at, keys.length, (index) => object[keys[index] as string], keys);
      if (end === at) {
        const key = keys[at++] as string;
        yield* this.text(key);
        this.take(':', false);
        yield* this.write(object[key] ?? null);
      } else this.take(membersOf(object, keys.slice(at, end)), false);
      at = Math.max(at, end);
    }
    this.take('}', false);
  }

  /** Where the values from `at` on, and the keys before them, no longer fit into a piece. */
  private endOfPiece(
    at: number,
    length: number,
    valueAt: (index: number) => JsonValue | undefined,
    keys?: readonly string[],
  ): number {
    let left = PIECE_COST;
    for (let end = at; end < length; end++) {
      left -= (keys?.[end] ?? '').length + this.cost(valueAt(end) ?? null, left);
      if (left < 0) return end;
    }
    return length;
  }

  private *text(text: string): Steps<void> {
    this.take('"', false);
    for (const part of chunksOfText(text)) {
      this.take(JSON.stringify(part).slice(1, -1), true);
      yield;
    }
    this.take('"', false);
  }

  /** What the text of a value costs; any larger number when it is more than `most`. */
  private cost(value: JsonValue, most: number): number {
    if (typeof value === 'string') return VALUE_COST + value.length;
    if (typeof value !== 'object' || value === null) return VALUE_COST;
    if (isRawText(value)) return VALUE_COST + value.literal.length;
    let cost = VALUE_COST;
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length && cost <= most; at++)
        cost += this.cost(value[at] ?? null, most - cost);
      return cost;
    }
    const keys = this.keysOf(value);
    for (let at = 0; at < keys.length && cost <= most; at++) {
      const key = keys[at] as string;
      cost += key.length + this.cost(value[key] ?? null, most - cost);
    }
    return cost;
  }

  /** Listing the keys of a wide object takes as long as some pieces. */
  private keysOf(object: JsonObject): readonly string[] {
    const known = this.keys.get(object);
    if (known !== undefined) return known;
    const keys = Object.keys(object);
    if (keys.length > MANY_KEYS) this.keys.set(object, keys);
    return keys;
  }
}

function membersOf(object: JsonObject, keys: readonly string[]): string {
  return keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(object[key])}`).join();
}
