import { basename, dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { AppError } from '@assay/errors';
import { systemCode, type FileSystem, type OpenFile } from './file-system.js';
import { replaceFile, writeFully } from './write-file.js';

// Two slots of the same size. A slot, little endian: u32 CRC-32 of all that follows, u32 bytes of the text,
// f64 version, text.
const SLOT_BYTES = 64 * 1024;
const HEADER_BYTES = 16;
const CHECKED_FROM = 4;

/**
 * A small text that is replaced atomically: each write goes to the slot that does not hold the current text,
 * and is synced. A crash leaves the old text or the new one. The file has its full size from the start, so
 * replacing works on a full disk.
 */
export class SlotFile {
  /**
   * Whether the current slot is known to be durable. What is read at open may only be in the page cache, when
   * an earlier process could not sync it; the other slot must not be overwritten then.
   */
  private isDurable = false;

  private constructor(
    private readonly file: OpenFile,
    private version: number,
    private content: string,
  ) {}

  /**
   * Opens the file, and creates it with `initial` when it is missing.
   * @throws AppError `INTERNAL_ERROR` when neither slot is valid
   */
  static async open(fs: FileSystem, path: string, initial: string): Promise<SlotFile> {
    const file = await fs.open(path, 'update').catch(async (error: unknown) => {
      if (systemCode(error) !== 'ENOENT') throw error;
      await fs.createDirectory(dirname(path));
      await replaceFile(fs, path, slotFileOf(initial));
      return fs.open(path, 'update');
    });
    try {
      const bytes = Buffer.alloc(2 * SLOT_BYTES);
      await file.read(bytes, 0);
      const slots = [bytes.subarray(0, SLOT_BYTES), bytes.subarray(SLOT_BYTES)].map(decodeSlot);
      const newest = slots.reduce((a, b) => (b === undefined || (a && a.version > b.version) ? a : b));
      if (newest === undefined) throw new AppError('INTERNAL_ERROR', `${basename(path)} is damaged`);
      return new SlotFile(file, newest.version, newest.text);
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
  }

  /** The current text. */
  get text(): string {
    return this.content;
  }

  /**
   * Resolves when the new text is durable. When it rejects, the old text is still there. One call at a time.
   */
  async replace(text: string): Promise<void> {
    if (!this.isDurable) await this.store(this.version, this.content);
    this.isDurable = true;
    await this.store(this.version + 1, text);
    this.version += 1;
    this.content = text;
  }

  private async store(version: number, text: string): Promise<void> {
    await writeFully(this.file, [encodeSlot(version, text)], (version % 2) * SLOT_BYTES);
    await this.file.sync();
  }

  async close(): Promise<void> {
    await this.file.close().catch(() => undefined);
  }
}

/** The bytes of a new file with this text. */
export function slotFileOf(text: string): Buffer {
  return Buffer.concat([encodeSlot(0, text)], 2 * SLOT_BYTES);
}

function encodeSlot(version: number, text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  if (bytes > SLOT_BYTES - HEADER_BYTES)
    throw new AppError('VALIDATION_ERROR', 'too many consumer groups for the positions file');
  const slot = Buffer.alloc(HEADER_BYTES + bytes);
  slot.writeUInt32LE(bytes, 4);
  slot.writeDoubleLE(version, 8);
  slot.write(text, HEADER_BYTES);
  slot.writeUInt32LE(crc32(slot.subarray(CHECKED_FROM)), 0);
  return slot;
}

function decodeSlot(slot: Buffer): { version: number; text: string } | undefined {
  const end = HEADER_BYTES + slot.readUInt32LE(4);
  if (end > SLOT_BYTES || crc32(slot.subarray(CHECKED_FROM, end)) !== slot.readUInt32LE(0)) return undefined;
  return { version: slot.readDoubleLE(8), text: slot.toString('utf8', HEADER_BYTES, end) };
}
