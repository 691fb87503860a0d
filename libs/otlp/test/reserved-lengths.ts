/** Which fields of a message are messages themselves. */
interface Shape {
  readonly [field: number]: Shape;
}

const anyValue: Shape = {
  get 5(): Shape {
    return { 1: anyValue };
  },
  get 6(): Shape {
    return { 1: keyValue };
  },
};
const keyValue: Shape = { 2: anyValue };
const span: Shape = { 9: keyValue, 11: { 3: keyValue }, 13: { 4: keyValue }, 15: {} };
const request: Shape = { 1: { 1: { 1: keyValue }, 2: { 1: { 3: keyValue }, 2: span } } };

const [LENGTH_DELIMITED, FIXED64, FIXED32] = [2, 1, 5];

/**
 * The same request as the exporter of .NET writes it: it reserves four bytes for the length of each message inside and fills them afterwards,
 * so that most lengths have leading zeros.
 */
export function withReservedLengths(bytes: Uint8Array, shape: Shape = request): Buffer {
  const out: Buffer[] = [];
  const varint = (from: number): [value: number, end: number] => {
    let [value, at] = [0, from];
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return [value, at];
    }
  };
  for (let at = 0; at < bytes.length;) {
    const start = at;
    const [tag, afterTag] = varint(at);
    const [kind, inner] = [tag & 7, shape[tag >>> 3]];
    const [value, afterValue] = kind === FIXED64 || kind === FIXED32 ? [0, afterTag] : varint(afterTag);
    at = afterValue + (kind === FIXED64 ? 8 : kind === FIXED32 ? 4 : kind === LENGTH_DELIMITED ? value : 0);
    if (kind !== LENGTH_DELIMITED || inner === undefined) out.push(Buffer.from(bytes.subarray(start, at)));
    else {
      const content = withReservedLengths(bytes.subarray(afterValue, at), inner);
      out.push(Buffer.from(bytes.subarray(start, afterTag)), reserved(content.length), content);
    }
  }
  return Buffer.concat(out);
}

const reserved = (length: number): Buffer =>
  Buffer.from([0, 7, 14, 21].map((shift) => ((length >>> shift) & 0x7f) | (shift < 21 ? 0x80 : 0)));
