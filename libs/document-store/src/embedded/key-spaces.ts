import { hash } from 'node:crypto';
import type { CollectionSpec, Condition, Scalar } from '../document-store.js';
import { orderedSets } from '../rules/collection-spec.js';
import { narrows } from '../rules/covering-set.js';
import { asScalar, indexedValue } from '../rules/indexed-value.js';
import { orderedValue, orderKey } from '../rules/order-key.js';
import { uniqueKey } from '../rules/unique-key.js';

/** Above every byte that an order key or a UTF-8 id begins with. */
const ABOVE_ALL = Buffer.of(0xff);
const SPACE_BYTES = 16;

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
export function uniqueKeys(
  spec: CollectionSpec,
  fields: object,
): readonly { key: Buffer; set: readonly string[] }[] {
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

/** Parts of the index space in order, and the conditions that remain to be checked on each document in them. */
export interface Narrowed {
  readonly ranges: readonly KeyRange[];
  readonly remaining: readonly Condition[];
}

/** As {@link rangeOf}, cut down to what a condition leaves of the field that the set orders by. */
export function narrowed(
  set: readonly string[],
  equals: Readonly<Record<string, Scalar>>,
  where: readonly Condition[],
): Narrowed {
  const range = rangeOf(set, equals);
  const last = set.at(-1);
  const narrowing = where.find((condition) => narrows(condition, last));
  if (!narrowing || last === undefined || Object.hasOwn(equals, last))
    return { ranges: [range], remaining: where };
  const ranges = 'in' in narrowing ? eachOf(range.start, narrowing.in) : [between(range.start, narrowing)];
  return { ranges, remaining: where.filter((condition) => condition !== narrowing) };
}

/** One range for each value, in their order. */
function eachOf(space: Buffer, values: readonly Scalar[]): KeyRange[] {
  const keys = [...values]
    .map((value) => orderKey(asScalar(value)))
    .sort((left, right) => Buffer.compare(left, right));
  const distinct = keys.filter((key, index) => index === 0 || !key.equals(keys[index - 1] ?? key));
  return distinct.map((key) => ({
    start: Buffer.concat([space, key]),
    end: Buffer.concat([space, key, ABOVE_ALL]),
  }));
}

/** Only values of the type of the bounds lie between them: the byte after that of a type begins no key. */
function between(space: Buffer, condition: Condition): KeyRange {
  const { from, to } = { from: undefined, to: undefined, ...condition };
  const type = orderKey(from ?? to).readUInt8(0);
  const start = from === undefined ? Buffer.of(type) : orderKey(from);
  const end = to === undefined ? Buffer.of(type + 1) : Buffer.concat([orderKey(to), ABOVE_ALL]);
  return { start: Buffer.concat([space, start]), end: Buffer.concat([space, end]) };
}

/** The value of the field that an entry is ordered by. */
export function valueOf(key: Buffer, id: Buffer): Scalar | undefined {
  return orderedValue(key.subarray(SPACE_BYTES, key.length - id.length));
}

/** For a set and the values of its leading fields: they are only ever compared for equality, so a hash will do. */
function spaceOf(set: readonly string[], values: readonly (Scalar | undefined)[]): Buffer {
  const text = JSON.stringify([set, values.map((value) => (value === undefined ? {} : value))]);
  return hash('sha256', text, 'buffer').subarray(0, SPACE_BYTES);
}
