/** Values of hex digits by byte; -1 for any other byte. */
const DIGITS = Int8Array.from({ length: 256 }, (_, byte) => {
  const value = parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(value) ? -1 : value;
});

/** Returns the number that the four hex digits at `offset` stand for, or -1 when they are not four hex digits. */
export function hex4At(bytes: Uint8Array, offset: number): number {
  let value = 0;
  for (let index = 0; index < 4; index += 1) {
    const digit = DIGITS[bytes[offset + index] ?? 0] ?? -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}
