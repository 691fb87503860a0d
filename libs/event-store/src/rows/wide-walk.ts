import { isJsonObject, isRawText, type JsonObject, type JsonValue, type ListedKeys } from '@assay/domain';
import type { Steps } from '@assay/runtime';
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
} from './object-walk.js';
import { pathKey, type PathKey, type PathObject } from './path-cache.js';

const COLON = 0x3a;
/** Values between two steps: a fraction of a millisecond. */
const STEP_VALUES = 1_000;
const NOTHING = Buffer.alloc(0);

/** The walk of one event with more new keys than an {@link ObjectWalk} takes, in steps. Other events are walked between them. */
export class WideWalk extends ObjectWalk {
  private values = 0;

  /** @param listed keys of objects of the event that are known already */
  constructor(private readonly listed?: ListedKeys) {
    super();
  }

  /** Like {@link write}. */
  writeSteps(field: string, object: JsonObject): Steps<boolean> {
    return this.objectSteps(object, this.paths.root(field), Nesting.Root);
  }

  private *objectSteps(object: JsonObject, at: PathObject, nesting: Nesting): Steps<boolean> {
    let before = OPEN;
    for (const key of this.listed?.get(object) ?? Object.keys(object)) {
      const value = object[key];
      if (value === undefined) continue;
      const entry = this.entryOf(at, key, value);
      if (entry === undefined || (nesting !== Nesting.NotIndexed && collides(object, entry))) return false;
      this.json.byte(before);
      before = COMMA;
      if (!this.writeKey(entry, key)) return false;
      if (!(yield* this.valueSteps(value, entry, nesting))) return false;
    }
    if (before === OPEN) this.json.byte(OPEN);
    this.json.byte(CLOSE);
    return true;
  }

  private *valueSteps(value: JsonValue, key: PathKey, nesting: Nesting): Steps<boolean> {
    this.values += 1;
    if (this.values % STEP_VALUES === 0) yield;
    if (!isContainer(value)) return this.value(value, key, nesting);
    if (Array.isArray(value)) return yield* this.listSteps(value, key);
    if (isProtocol(key)) return this.protocol(value, key);
    const below = nestingBelow(key, nesting);
    return below === undefined ? this.unindexed(value) : yield* this.objectSteps(value, key.below, below);
  }

  private *listSteps(items: JsonValue[], key: PathKey): Steps<boolean> {
    if (!isJsonObject(items[0])) return this.unindexed(items);
    let before = OPEN_LIST;
    for (const item of items) {
      this.json.byte(before);
      before = COMMA;
      if (!(yield* this.valueSteps(item, key, Nesting.NotIndexed))) return false;
    }
    this.json.byte(CLOSE_LIST);
    return true;
  }

  /** Encoding a key and its path costs more than walking a value, and the index has room for few. */
  private entryOf(at: PathObject, key: string, value: JsonValue): PathKey | undefined {
    if (this.left > 0 || isContainer(value) || key.includes('.'))
      return this.paths.key(at, key) ?? pathKey(at, key);
    return { json: NOTHING, heads: [], path: undefined, below: at };
  }

  private writeKey({ json }: PathKey, key: string): boolean {
    if (json !== NOTHING) {
      this.json.copy(json);
      return true;
    }
    if (!this.json.plainString(key) && !this.json.jsonString(key)) return false;
    this.json.byte(COLON);
    return true;
  }
}

function isContainer(value: JsonValue): value is JsonObject | JsonValue[] {
  return typeof value === 'object' && value !== null && !isRawText(value);
}
