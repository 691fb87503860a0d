import { createRequire } from 'node:module';

const KNOWN_TEXT = Buffer.from('123456789');
const KNOWN_SUM = 0xe3069283;

type Crc32c = (bytes: Buffer) => number;

/** Returns the CRC-32C of the bytes as an unsigned 32-bit number. */
export const crc32c: Crc32c = nativeCrc32c() ?? kafkajsCrc32c();

/** Native implementation, 8 GB/s. Returns undefined when there is no binary for the platform. */
function nativeCrc32c(): Crc32c | undefined {
  try {
    const native = createRequire(__filename)('@node-rs/crc32') as { readonly crc32c: Crc32c };
    return native.crc32c(KNOWN_TEXT) === KNOWN_SUM ? (bytes) => native.crc32c(bytes) : undefined;
  } catch {
    return undefined;
  }
}

/** JavaScript implementation, 0.5 GB/s. */
function kafkajsCrc32c(): Crc32c {
  return createRequire(__filename)('kafkajs/src/protocol/recordBatch/crc32C') as Crc32c;
}
