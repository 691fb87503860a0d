/** Matches beyond it are counted no further. */
export const MAX_MATCHES = 10_000;

/**
 * Offsets at which the stored text contains `query`, without regard to the case of ASCII letters. The query is escaped as JSON
 * texts are, so that a line break or a quote is found.
 */
export function searchBytes(bytes: Uint8Array, query: string): number[] {
  const needle = lowerAscii(new TextEncoder().encode(JSON.stringify(query).slice(1, -1)));
  if (needle.length === 0) return [];
  const found: number[] = [];
  const last = bytes.length - needle.length;
  const [lower, upper] = [needle[0] ?? 0, upperOf(needle[0] ?? 0)];
  for (let at = 0; at <= last && found.length < MAX_MATCHES; at++) {
    const byte = bytes[at];
    if ((byte === lower || byte === upper) && matchesAt(bytes, at, needle)) found.push(at);
  }
  return found;
}

function matchesAt(bytes: Uint8Array, at: number, needle: Uint8Array): boolean {
  for (let offset = 1; offset < needle.length; offset++)
    if (lowerOf(bytes[at + offset] ?? 0) !== needle[offset]) return false;
  return true;
}

function lowerAscii(bytes: Uint8Array): Uint8Array {
  return bytes.map(lowerOf);
}

function lowerOf(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}

function upperOf(byte: number): number {
  return byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte;
}
