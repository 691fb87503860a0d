/** Values of hex digits by byte; -1 for what is none. */
const DIGITS = Int8Array.from({ length: 256 }, (_, byte) => {
  const value = parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(value) ? -1 : value;
});

/** The four hex digits at a place as a number, or -1 when they are not four hex digits. */
export function hex4At(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let offset = 0; offset < 4; offset += 1) {
    const digit = DIGITS[bytes[at + offset] ?? 0] ?? -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}
