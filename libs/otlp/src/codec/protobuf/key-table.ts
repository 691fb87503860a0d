/** Slots of the table; a power of two. */
const SIZE = 4096;
/** Longer keys are rare and are decoded every time. */
const MAX_LENGTH = 96;

/**
 * Remembers attribute keys by their bytes: a few hundred keys come on every span, and comparing bytes is cheaper than decoding
 * and hashing a new string each time. One key per slot; a newcomer takes the place of the old one, so the memory is bounded.
 */
export class KeyTable {
  private readonly keys = new Array<string>(SIZE).fill('');

  /** The string of `bytes[start..end)`; bytes that are not ASCII are left to `decode`. */
  read(bytes: Uint8Array, start: number, end: number, decode: () => string): string {
    const length = end - start;
    if (length === 0 || length > MAX_LENGTH) return decode();
    let hash = length;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
    const slot = (hash ^ (hash >>> 15)) & (SIZE - 1);
    const known = this.keys[slot] as string;
    if (isSame(known, bytes, start, length)) return known;
    const key = decode();
    this.keys[slot] = key;
    return key;
  }
}

/** A key with bytes over 127 never equals its decoded characters, so it is simply never found. */
function isSame(key: string, bytes: Uint8Array, start: number, length: number): boolean {
  if (key.length !== length) return false;
  for (let index = 0; index < length; index++) {
    const byte = bytes[start + index] as number;
    if (byte > 0x7f || key.charCodeAt(index) !== byte) return false;
  }
  return true;
}
