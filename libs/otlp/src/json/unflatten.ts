import { isJsonObject, setOwn, type JsonObject, type JsonValue } from '@assay/domain';

/** Attribute of a family: the part of its key after the prefix, and its value. */
export interface PathValue {
  readonly path: string;
  readonly value: JsonValue;
}

/** Indices from here on become object keys: an attribute must not create a long array. */
const MAX_INDEX = 10_000;
const MAX_SEGMENTS = 64;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
const INDEX = /^(?:0|[1-9]\d{0,3})$/;

interface Node {
  value?: JsonValue;
  children?: Map<string, Node>;
}

/**
 * Splits the path of a flattened value at dots; `a[0]` equals `a.0`.
 * @returns undefined when it has more than 64 segments, or a segment that names a prototype property
 */
export function pathSegments(path: string): string[] | undefined {
  const segments = (path.includes('[') ? path.replace(/\[(\d+)\]/g, '.$1').replace(/^\./, '') : path).split(
    '.',
    MAX_SEGMENTS + 1,
  );
  return segments.length > MAX_SEGMENTS || segments.some((segment) => FORBIDDEN.has(segment))
    ? undefined
    : segments;
}

/**
 * Rebuilds a value that an SDK flattened into attributes. Levels whose keys are all indices become arrays,
 * with null in the holes; a level with far more holes than values remains an object. A scalar beside deeper
 * keys is stored as `_value`. The result does not depend on the order of the entries. Paths must come from
 * {@link pathSegments}.
 */
export function unflatten(entries: readonly { segments: readonly string[]; value: JsonValue }[]): JsonValue {
  const root: Node = {};
  for (const { segments, value } of entries) {
    let node = root;
    for (const segment of segments) node = childOf(node, segment);
    node.value = value;
  }
  return toValue(root);
}

function childOf(node: Node, segment: string): Node {
  node.children ??= new Map();
  const known = node.children.get(segment);
  if (known !== undefined) return known;
  const child: Node = {};
  node.children.set(segment, child);
  return child;
}

function toValue(node: Node): JsonValue {
  const { children, value } = node;
  if (children === undefined) return value ?? null;
  const length = arrayLength(children);
  if (length > 0 && value === undefined) return toArray(children, length);
  return toObject(children, value);
}

/** Length of the array described by the keys; 0 when they do not describe an array. */
function arrayLength(children: ReadonlyMap<string, Node>): number {
  let last = -1;
  for (const key of children.keys()) {
    if (!INDEX.test(key)) return 0;
    last = Math.max(last, Number(key));
  }
  return last < MAX_INDEX && last < children.size * 16 + 48 ? last + 1 : 0;
}

function toArray(children: ReadonlyMap<string, Node>, length: number): JsonValue {
  const items = new Array<JsonValue>(length).fill(null);
  for (const [key, child] of children) items[Number(key)] = toValue(child);
  return items;
}

function toObject(children: ReadonlyMap<string, Node>, value: JsonValue | undefined): JsonValue {
  const object: JsonObject = isJsonObject(value) ? { ...value } : {};
  for (const [key, child] of children) setOwn(object, key, toValue(child));
  if (value !== undefined && !isJsonObject(value) && !Object.hasOwn(object, '_value'))
    object['_value'] = value;
  return object;
}

/** Items of a flattened list: the array without holes, or the values by numeric index. */
export function listItems(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value.filter((item) => item !== null);
  if (!isJsonObject(value)) return [];
  const keys = Object.keys(value).filter((key) => /^\d+$/.test(key));
  return keys.sort((a, b) => Number(a) - Number(b)).map((key) => value[key] as JsonValue);
}
