import { createHash } from 'node:crypto';
import type { CollectionSpec, Condition, Scalar } from '../document-store.js';
import { orderedSets } from '../rules/collection-spec.js';
import { asScalar, indexedValue } from '../rules/indexed-value.js';
import { orderKey } from '../rules/order-key.js';
import { uniqueKey } from '../rules/unique-key.js';

/** Above every byte that an order key or a UTF-8 id begins with. */
const ABOVE_ALL = Buffer.of(0xff);

export interface KeyRange {
  readonly start: Buffer;
  readonly end: Buffer;
}

/**
 * The entries that a document has in the index space: for each set, where the values of all fields but the last lead to, then the
 * last value in order, then the id.
 */
export function indexKeys(spec: CollectionSpec, id: string, fields: object): readonly Buffer[] {
  return orderedSets(spec).map((set) => {
    const values = set.map((name) => indexedValue(fields, name));
    return Buffer.concat([spaceOf(set, values.slice(0, -1)), orderKey(values.at(-1)), Buffer.from(id)]);
  });
}

/** The entries that a document has in the unique space, with the set that each stands for. */
export function uniqueKeys(spec: CollectionSpec, fields: object): readonly { key: Buffer; set: readonly string[] }[] {
  return spec.unique.flatMap((set) => {
    const key = uniqueKey(set, fields);
    return key === undefined ? [] : [{ key: Buffer.from(key), set }];
  });
}

/** The part of the index space where the documents with these values lie, in the order of the set's last field, then of the id. */
export function rangeOf(set: readonly string[], equals: Readonly<Record<string, Scalar>>): KeyRange {
  const values = set.map((name) => (Object.hasOwn(equals, name) ? asScalar(equals[name]) : undefined));
  const last = set.at(-1);
  const space = spaceOf(set, values.slice(0, -1));
  const fixed = last !== undefined && Object.hasOwn(equals, last) ? [orderKey(values.at(-1))] : [];
  const start = Buffer.concat([space, ...fixed]);
  return { start, end: Buffer.concat([start, ABOVE_ALL]) };
}

/** A part of the index space, and the conditions that remain to be checked on each document in it. */
export interface Narrowed {
  readonly range: KeyRange;
  readonly remaining: readonly Condition[];
}

/** As {@link rangeOf}, cut down to the bounds that the conditions set for the field that the set orders by. */
export function narrowedRange(set: readonly string[], equals: Readonly<Record<string, Scalar>>, where: readonly Condition[]): Narrowed {
  const range = rangeOf(set, equals);
  const last = set.at(-1);
  const bounds = where.find((condition) => condition.field === last && !('in' in condition) && !('containsAny' in condition));
  if (!bounds || last === undefined || Object.hasOwn(equals, last)) return { range, remaining: where };
  return { range: between(range.start, bounds), remaining: where.filter((condition) => condition !== bounds) };
}

/** Only values of the type of the bounds lie between them: the byte after that of a type begins no key. */
function between(space: Buffer, condition: Condition): KeyRange {
  const { from, to } = { from: undefined, to: undefined, ...condition };
  const type = orderKey(from ?? to).readUInt8(0);
  const start = from === undefined ? Buffer.of(type) : orderKey(from);
  const end = to === undefined ? Buffer.of(type + 1) : Buffer.concat([orderKey(to), ABOVE_ALL]);
  return { start: Buffer.concat([space, start]), end: Buffer.concat([space, end]) };
}

/** 16 bytes for a set and the values of its leading fields: they are only ever compared for equality, so a hash will do. */
function spaceOf(set: readonly string[], values: readonly (Scalar | undefined)[]): Buffer {
  const text = JSON.stringify([set, values.map((value) => (value === undefined ? {} : value))]);
  return createHash('sha256').update(text).digest().subarray(0, 16);
}
