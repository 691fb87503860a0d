const MULTIPLIER = 0x5bd1e995;
const SEED = 0x9747b28c;

/**
 * Returns the 32-bit MurmurHash2 of the key's UTF-8 bytes, as Kafka's own clients compute it
 * (`org.apache.kafka.common.utils.Utils.murmur2`), so that every client agrees on a key's partition.
 */
export function murmur2(key: string): number {
  const bytes = key.length <= SCRATCH.length / 3 ? SCRATCH : Buffer.from(key);
  const length = bytes === SCRATCH ? SCRATCH.write(key) : bytes.length;
  let hash = SEED ^ length;
  let at = 0;
  for (; at + 4 <= length; at += 4) hash = Math.imul(hash, MULTIPLIER) ^ mix(wordAt(bytes, at));
  let rest = 0;
  for (let index = length - 1; index >= at; index -= 1) rest = (rest << 8) | (bytes[index] ?? 0);
  if (at < length) hash = Math.imul(hash ^ rest, MULTIPLIER);
  hash = Math.imul(hash ^ (hash >>> 13), MULTIPLIER);
  return hash ^ (hash >>> 15);
}

/** Reused for keys of common lengths: allocating a buffer for each would cost more than hashing. */
const SCRATCH = Buffer.alloc(384);

function wordAt(bytes: Buffer, at: number): number {
  return (
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  );
}

function mix(word: number): number {
  const product = Math.imul(word, MULTIPLIER);
  return Math.imul(product ^ (product >>> 24), MULTIPLIER);
}

/** Returns the key's partition of `count`; stable as long as the count is. */
export function partitionOf(key: string, count: number): number {
  return (murmur2(key) & 0x7fffffff) % count;
}
