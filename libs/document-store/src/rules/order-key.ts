import type { Scalar } from '../document-store.js';

/** Longest key of a string, in bytes: an index entry must fit the 1,978 bytes of an LMDB key together with the id. */
export const MAX_ORDER_KEY_BYTES = 1_000;

/** First byte of a key: the order of types that MongoDB documents for comparison, so that both stores sort mixed values alike. */
const TYPE = { null: 0x05, number: 0x10, string: 0x20, object: 0x30, boolean: 0x40 } as const;

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
  const sign = 1n << 63n;
  bytes.writeBigUInt64BE(bits & sign ? ~bits & 0xffff_ffff_ffff_ffffn : bits | sign);
  return bytes;
}
