import {
  isRawText,
  PAYLOAD_FIELDS,
  type Event,
  type FieldName,
  type JsonObject,
  type JsonValue,
} from '@assay/domain';

/** Maximum number of indexed leaves of one event; beyond it the event is marked as incompletely indexed. */
export const MAX_LEAVES = 128;
/** Longest path that is indexed, in UTF-16 units: at most 128 bytes for ASCII. */
export const MAX_PATH_LENGTH = 128;
/** Longest string that is indexed, in UTF-16 units. The index is never searched for longer values. */
export const MAX_INDEXED_LENGTH = 256;

/** Unique dotted paths such as `metadata.env`, and the value of each at the same index. */
export interface Leaves<Value> {
  readonly paths: readonly string[];
  readonly values: readonly Value[];
}

/** The scalar leaves of an event's objects. */
export interface LeafIndex {
  /** String leaves of at most {@link MAX_INDEXED_LENGTH}, and booleans as `true` and `false`. */
  readonly attrs: Leaves<string>;
  /** Number leaves, and string leaves that read as a decimal number. */
  readonly nums: Leaves<number>;
  /**
   * Whether every scalar that a filter can find is indexed under its path, strings that are too long to be
   * indexed excepted.
   */
  readonly complete: boolean;
  /** Whether the event holds an integer that does not fit 64 bits and that `JSON.stringify` writes without an exponent. */
  readonly hasHugeInteger: boolean;
}

/** The indexed leaves of a payload, as a row holds them. */
export interface PayloadLeaves extends Pick<LeafIndex, 'attrs' | 'nums'> {
  /** Whether the index of the row is complete; see {@link LeafIndex.complete}. */
  readonly complete: boolean;
}

/**
 * 2^64 and -2^63: the engine's JSON parser rejects a whole document that contains an integer outside this
 * range. `JSON.stringify` writes -2^63 as -9223372036854776000, which is outside, too.
 */
const HUGE_POSITIVE = 18446744073709551616;
const HUGE_NEGATIVE = -9223372036854775808;
/** From this value on, `JSON.stringify` writes an exponent, which is parsed as a float. */
const EXPONENT_FROM = 1e21;

interface Collector {
  readonly attrs: Collected<string>;
  readonly nums: Collected<number>;
  left: number;
  complete: boolean;
  /** Whether one path may lead to two leaves. */
  ambiguous: boolean;
  hasHugeInteger: boolean;
}

interface Collected<Value> {
  readonly paths: string[];
  readonly values: Value[];
}

/**
 * Protocol data (`metadata.otel`) is stored but not indexed: it is large, the same on every span of a
 * service, and the ids in it are in `metadata` too. A filter on it reads the stored text.
 */
const NOT_INDEXED = 'metadata.otel.';

/** Keys above an object: none, some, or some of which one has a dot. */
const Nesting = { Root: 0, Below: 1, BelowDottedKey: 2 } as const;
type Nesting = number;

/** Whether scalars under this path are indexed. */
export function isIndexedPath(path: string): boolean {
  return path.length <= MAX_PATH_LENGTH && !path.startsWith(NOT_INDEXED);
}

/**
 * Collects the leaves of the objects of these names in one walk, in this order. With `kept`, the leaves of the
 * payload are taken from there instead of from the event.
 */
export function indexLeaves(event: Event, objects: readonly FieldName[], kept?: PayloadLeaves): LeafIndex {
  const found: Collector = {
    attrs: { paths: [], values: [] },
    nums: { paths: [], values: [] },
    left: MAX_LEAVES,
    complete: true,
    ambiguous: false,
    hasHugeInteger: false,
  };
  for (const name of objects) {
    if (kept && isPayloadField(name)) addKept(kept, `${name}.`, found);
    else walkObject(event[name] as JsonObject, `${name}.`, Nesting.Root, found);
  }
  if (kept?.complete === false) found.complete = false;
  return found.ambiguous ? { ...found, attrs: lastOfEach(found.attrs), nums: lastOfEach(found.nums) } : found;
}

/** Whether a field belongs to the payload. */
export function isPayloadField(name: string): boolean {
  return (PAYLOAD_FIELDS as readonly string[]).includes(name);
}

/** A path with a text that reads as a number is in both lists, and is one leaf. */
function addKept({ attrs, nums }: PayloadLeaves, prefix: string, found: Collector): void {
  const added = new Set<string>();
  const copy = <Value>({ paths, values }: Leaves<Value>, to: Collected<Value>) =>
    values.forEach((value, index) => {
      const path = paths[index] ?? '';
      if (!path.startsWith(prefix)) return;
      if (!added.has(path) && !hasRoom(path, '', found)) return;
      added.add(path);
      add(to, path, value);
    });
  copy(attrs, found.attrs);
  copy(nums, found.nums);
}

function lastOfEach<Value>({ paths, values }: Leaves<Value>): Leaves<Value> {
  const byPath = new Map(values.map((value, index) => [paths[index] ?? '', value]));
  return { paths: [...byPath.keys()], values: [...byPath.values()] };
}

/**
 * A filter finds a key with dots as the first key of a bucket or as the last one of a path, and only one such
 * key on a path (see `eventPath` of the domain).
 */
function walkObject(object: JsonObject, prefix: string, nesting: Nesting, found: Collector): void {
  for (const key in object) {
    const value = object[key];
    if (value === null || value === undefined) continue;
    const hasDot = key.includes('.');
    if (hasDot && collides(object, key)) {
      found.complete = false;
      found.ambiguous = true;
    }
    if (typeof value !== 'object') {
      if (hasDot && nesting === Nesting.BelowDottedKey) scanScalar(value, found);
      else collectScalar(prefix, key, value, found);
    } else if (Array.isArray(value) || (hasDot && nesting !== Nesting.Root) || isProtocol(prefix, key)) {
      scanValues(value, found);
    } else {
      const below = hasDot ? Nesting.BelowDottedKey : Math.max(nesting, Nesting.Below);
      walkObject(value, `${prefix}${key}.`, below, found);
    }
  }
}

function isProtocol(prefix: string, key: string): boolean {
  return key === 'otel' && prefix === 'metadata.';
}

function collectScalar(
  prefix: string,
  key: string,
  value: string | number | bigint | boolean,
  found: Collector,
): void {
  if (typeof value === 'bigint') return collectInteger(prefix, key, value, found);
  if (typeof value === 'number') {
    scanScalar(value, found);
    if (Number.isFinite(value) && hasRoom(prefix, key, found)) add(found.nums, prefix + key, value);
    return;
  }
  if (typeof value === 'boolean') {
    if (hasRoom(prefix, key, found)) add(found.attrs, prefix + key, String(value));
    return;
  }
  if (value.length > MAX_INDEXED_LENGTH) {
    if (decimal(value) !== undefined) found.complete = false;
  } else if (hasRoom(prefix, key, found)) {
    const path = prefix + key;
    add(found.attrs, path, value);
    const number = decimal(value);
    if (number !== undefined) add(found.nums, path, number);
  }
}

/** Under the digits, which are compared as a text, and the nearest number, which is compared by size. */
function collectInteger(prefix: string, key: string, value: bigint, found: Collector): void {
  scanScalar(value, found);
  const digits = String(value);
  if (digits.length > MAX_INDEXED_LENGTH) found.complete = false;
  else if (hasRoom(prefix, key, found)) {
    add(found.attrs, prefix + key, digits);
    add(found.nums, prefix + key, Number(value));
  }
}

function add<Value>({ paths, values }: Collected<Value>, path: string, value: Value): void {
  paths.push(path);
  values.push(value);
}

function hasRoom(prefix: string, key: string, found: Collector): boolean {
  if (prefix.length + key.length <= MAX_PATH_LENGTH && found.left > 0) {
    found.left -= 1;
    return true;
  }
  found.complete = false;
  return false;
}

const DECIMAL = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const NINE = 57;

/** The number that a text holds, by the rule of the filter language; undefined when it holds none. */
export function decimal(text: string): number | undefined {
  if (!(text.charCodeAt(0) <= NINE) || !DECIMAL.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

function scanScalar(value: string | number | bigint | boolean, found: Collector): void {
  if (isHuge(value)) found.hasHugeInteger = true;
}

/** Whether an array or object holds an integer of {@link isHugeInteger}. */
export function hasHugeInteger(container: JsonValue[] | JsonObject): boolean {
  if (Array.isArray(container)) return container.some(isOrHasHugeInteger);
  for (const key in container) if (isOrHasHugeInteger(container[key] as JsonValue)) return true;
  return false;
}

function isOrHasHugeInteger(value: JsonValue): boolean {
  if (typeof value !== 'object') return isHuge(value);
  return typeof value === 'object' && value !== null && !isRawText(value) && hasHugeInteger(value);
}

/**
 * Array elements, and values that no filter finds, are not indexed; they are only checked for huge integers.
 */
function scanValues(container: JsonValue[] | JsonObject, found: Collector): void {
  for (const value of Array.isArray(container) ? container : Object.values(container)) {
    if (typeof value === 'object' && value !== null) scanValues(value, found);
    else if (isHuge(value)) found.hasHugeInteger = true;
  }
}

function isHuge(value: JsonValue): boolean {
  return typeof value === 'bigint'
    ? BigInt.asUintN(64, value) !== value && BigInt.asIntN(64, value) !== value
    : typeof value === 'number' && isHugeInteger(value);
}

/** Whether `JSON.stringify` writes the number as an integer that does not fit 64 bits. */
export function isHugeInteger(value: number): boolean {
  return (value >= HUGE_POSITIVE || value <= HUGE_NEGATIVE) && Math.abs(value) < EXPONENT_FROM;
}

/**
 * Whether a dotted key shares its object with a key that is its beginning: then one path may lead to two
 * leaves.
 */
function collides(object: JsonObject, key: string): boolean {
  for (let dot = key.indexOf('.'); dot !== -1; dot = key.indexOf('.', dot + 1)) {
    if (Object.hasOwn(object, key.slice(0, dot))) return true;
  }
  return false;
}
