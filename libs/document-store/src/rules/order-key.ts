import type { Scalar } from '../document-store.js';

/** Longest key of a string, in bytes: an index entry must fit the 1,978 bytes of an LMDB key together with the id. */
export const MAX_ORDER_KEY_BYTES = 1_000;

/** First byte of a key: the order of types that MongoDB documents for comparison, so that both stores sort mixed values alike. */
const TYPE = { null: 0x05, number: 0x10, string: 0x20, object: 0x30, boolean: 0x40 } as const;

const SIGN = 1n << 63n;
const ALL_BITS = 0xffff_ffff_ffff_ffffn;

/**
 * Bytes that compare (as unsigned bytes) as the values do: null, then numbers, strings by code point, objects (undefined here),
 * false, true. No key is the beginning of another one.
 */
export function orderKey(value: Scalar | undefined): Buffer {
  if (value === undefined) return Buffer.of(TYPE.object);
  if (value === null) return Buffer.of(TYPE.null);
  if (typeof value === 'boolean') return Buffer.of(TYPE.boolean, value ? 1 : 0);
  if (typeof value === 'number') return Buffer.concat([Buffer.of(TYPE.number), numberKey(value)]);
  return Buffer.concat([Buffer.of(TYPE.string), stringKey(value)]);
}

/** The value that a key was made of; half a surrogate pair comes back as U+FFFD. */
export function orderedValue(key: Buffer): Scalar | undefined {
  const type = key[0];
  if (type === TYPE.null) return null;
  if (type === TYPE.boolean) return key[1] === 1;
  if (type === TYPE.number) return numberIn(key.subarray(1));
  if (type === TYPE.string) return key.toString('utf8', 1, key.length - 2).replaceAll('\0\u00ff', '\0');
  return undefined;
}

/** UTF-8 sorts by code point. A zero byte is followed by U+00FF, so that the two zero bytes at the end occur nowhere else and sort lowest. */
function stringKey(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8');
  const escaped = bytes.includes(0) ? Buffer.from(value.replaceAll('\0', '\0\u00ff'), 'utf8') : bytes;
  return Buffer.concat([escaped, Buffer.of(0, 0)]);
}

/** IEEE 754: positive numbers sort by their bits once the sign bit is set, negative ones once all bits are flipped. */
function numberKey(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  const bits = bytes.readBigUInt64BE();
  bytes.writeBigUInt64BE(bits & SIGN ? ~bits & ALL_BITS : bits | SIGN);
  return bytes;
}

function numberIn(key: Buffer): number {
  const bits = key.readBigUInt64BE();
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(bits & SIGN ? bits & ~SIGN : ~bits & ALL_BITS);
  return bytes.readDoubleBE();
}
