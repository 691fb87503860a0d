/** Number of slots; a power of two. */
const SIZE = 4096;
/** Longer keys are rare and always decoded. */
const MAX_LENGTH = 96;

/**
 * Cache of attribute keys by their bytes: a few hundred keys repeat on every span, and comparing bytes is
 * cheaper than decoding and hashing a new string. A slot holds one key; a new key replaces it, so memory is
 * bounded.
 */
export class KeyTable {
  private readonly keys = new Array<string>(SIZE).fill('');

  /** String of `bytes[start..end)`; non-ASCII bytes are decoded by `decode`. */
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

/** A key with bytes over 127 never equals its decoded characters and is never found in the cache. */
function isSame(key: string, bytes: Uint8Array, start: number, length: number): boolean {
  if (key.length !== length) return false;
  for (let index = 0; index < length; index++) {
    const byte = bytes[start + index] as number;
    if (byte > 0x7f || key.charCodeAt(index) !== byte) return false;
  }
  return true;
}
