/** Bytes at the beginning of a zstd frame. */
export const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** Descriptor of a window of 1 MB. */
const WINDOW_1_MB = 0x50;

type BlockType = 'raw' | 'repeated' | 'compressed' | 'reserved';
const TYPES: readonly BlockType[] = ['raw', 'repeated', 'compressed', 'reserved'];

/** A block of a frame, with its header. `size` is the number of repetitions of a repeated byte. */
export function block(
  type: BlockType,
  content: Buffer,
  options: { last?: boolean; size?: number } = {},
): Buffer {
  const { last = false, size = content.length } = options;
  const header = Buffer.alloc(3);
  header.writeUIntLE((size << 3) | (TYPES.indexOf(type) << 1) | (last ? 1 : 0), 0, 3);
  return Buffer.concat([header, content]);
}

/** A frame without a checksum. @param header bytes of the header after the magic number */
export function frame(blocks: readonly Buffer[], header: readonly number[] = [0, WINDOW_1_MB]): Buffer {
  return Buffer.concat([MAGIC, Buffer.from(header), ...blocks]);
}

/** A frame with the bytes as they are. */
export function rawFrame(content: Buffer): Buffer {
  return frame([block('raw', content, { last: true })]);
}

/** A frame of so many megabytes of one letter, in a few bytes each. */
export function bomb(megabytes: number): Buffer {
  const letters = Array.from({ length: megabytes * 8 }, () =>
    block('repeated', Buffer.from('a'), { size: 131_072 }),
  );
  return frame([...letters, block('raw', Buffer.alloc(0), { last: true })]);
}

/** A frame that decoders leave out. */
export function skippable(content: Buffer): Buffer {
  const header = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]);
  header.writeUInt32LE(content.length, 4);
  return Buffer.concat([header, content]);
}
