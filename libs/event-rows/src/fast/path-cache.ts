import { MAX_PATH_LENGTH } from '../leaves/index-leaves.js';
import { repairEscapes } from './repair-json.js';

/** Keys of all objects together; when there are more, all are forgotten. */
const MAX_KEYS = 10_000;
/** Keys of one event that are not kept yet; encoding a key for the cache costs more than writing it. */
const MAX_NEW_KEYS = 256;
/** Longer keys are not kept. */
const MAX_KEPT_KEY = 128;

/** A key of an object at a path, as a row holds it. */
export interface PathKey {
  /** `"key":` */
  readonly json: Buffer;
  /** What is before each dot of the key: beside such a key, one path may lead to two leaves. */
  readonly heads: readonly string[];
  /** The path with its length in front; undefined when it is too long for the index. */
  readonly path: Buffer | undefined;
  /** The object under the key. */
  readonly below: PathObject;
}

/** An object at a path such as `metadata.`. */
export interface PathObject {
  readonly prefix: string;
  readonly keys: Map<string, PathKey>;
}

/** Keys at paths in encoded form. The same few hundred occur in every event. */
export class PathCache {
  private roots = new Map<string, PathObject>();
  private size = 0;
  private newKeys = 0;

  /** Starts an event. */
  begin(): void {
    this.newKeys = 0;
  }

  /** The object that a field holds. */
  root(field: string): PathObject {
    if (this.size > MAX_KEYS) {
      this.roots = new Map();
      this.size = 0;
    }
    const known = this.roots.get(field);
    if (known !== undefined) return known;
    const root = objectAt(`${field}.`);
    this.roots.set(field, root);
    return root;
  }

  /** Whether the event has too many new keys for {@link key}. */
  get isFull(): boolean {
    return this.newKeys > MAX_NEW_KEYS;
  }

  /** @returns undefined for a key that no column can hold unchanged, and when the event has too many new ones */
  key(object: PathObject, key: string): PathKey | undefined {
    return object.keys.get(key) ?? this.add(object, key);
  }

  private add(object: PathObject, key: string): PathKey | undefined {
    this.newKeys += 1;
    if (this.isFull) return undefined;
    const entry = pathKey(object, key);
    if (entry === undefined) return undefined;
    if (key.length > MAX_KEPT_KEY || this.size > MAX_KEYS) return entry;
    this.size += 1;
    object.keys.set(key, entry);
    return entry;
  }
}

/** Encodes a key. @returns undefined when no column can hold it unchanged */
export function pathKey(object: PathObject, key: string): PathKey | undefined {
  const text = JSON.stringify(key);
  return text.includes('\\u0000') || text.includes('\\ud') ? undefined : encodedKey(object, key, text);
}

/** Encodes a key as columns hold it. */
export function repairedPathKey(object: PathObject, key: string): PathKey {
  return encodedKey(object, key, repairEscapes(JSON.stringify(key)));
}

function encodedKey({ prefix }: PathObject, key: string, text: string): PathKey {
  const path = prefix.length + key.length <= MAX_PATH_LENGTH ? prefix + key : undefined;
  return {
    json: Buffer.from(`${text}:`),
    heads: headsOf(key),
    path: path === undefined ? undefined : withLength(path),
    below: objectAt(`${prefix}${key}.`),
  };
}

function headsOf(key: string): string[] {
  const heads: string[] = [];
  for (let dot = key.indexOf('.'); dot !== -1; dot = key.indexOf('.', dot + 1)) heads.push(key.slice(0, dot));
  return heads;
}

function objectAt(prefix: string): PathObject {
  return { prefix, keys: new Map() };
}

/** At most {@link MAX_PATH_LENGTH} characters, so that two bytes hold the length. */
function withLength(path: string): Buffer {
  const bytes = Buffer.from(path.replaceAll('\0', '\ufffd'));
  const { length } = bytes;
  const prefix = length < 0x80 ? [length] : [(length & 0x7f) | 0x80, length >>> 7];
  return Buffer.concat([Buffer.from(prefix), bytes]);
}
