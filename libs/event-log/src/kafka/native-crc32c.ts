import { createRequire, Module } from 'node:module';

const SLOW = 'kafkajs/src/protocol/recordBatch/crc32C';
const KNOWN_TEXT = Buffer.from('123456789');
const KNOWN_SUM = 0xe3069283;

/** Whether the native checksum is in place; importing this file puts it there. */
export const isNativeCrc32c = useNativeCrc32c();

/**
 * Puts a native CRC-32C in the place of the one in kafkajs, which is JavaScript and takes about a quarter of the cost of an append.
 * Works before kafkajs is loaded: its encoder then finds ours in the module cache. Where that cannot be done (kafkajs has been
 * loaded, its files lie elsewhere, there is no binary for the platform) the slow one stays, with the same results.
 */
function useNativeCrc32c(): boolean {
  try {
    const load = createRequire(__filename);
    const path = load.resolve(SLOW);
    if (load.cache[path] !== undefined) return false;
    const { crc32c } = load('@node-rs/crc32') as { readonly crc32c: (input: Buffer) => number };
    if (crc32c(KNOWN_TEXT) !== KNOWN_SUM) return false;
    const replacement = new Module(path);
    replacement.exports = (buffer: Buffer) => crc32c(buffer);
    replacement.loaded = true;
    load.cache[path] = replacement;
    return true;
  } catch {
    return false;
  }
}
