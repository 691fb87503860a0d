/** Returns the size of a number from -1 to 2^30 as a zigzag varint (`Varint` of Kafka's protocol). */
export function varintLength(value: number): number {
  const zigzag = toZigzag(value);
  if (zigzag < 1 << 7) return 1;
  if (zigzag < 1 << 14) return 2;
  if (zigzag < 1 << 21) return 3;
  return zigzag < 1 << 28 ? 4 : 5;
}

/** Writes the number as a zigzag varint and returns the index after it. */
export function writeVarint(target: Buffer, start: number, value: number): number {
  let at = start;
  let rest = toZigzag(value);
  while (rest > 0x7f) {
    target[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  target[at++] = rest;
  return at;
}

function toZigzag(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0;
}
