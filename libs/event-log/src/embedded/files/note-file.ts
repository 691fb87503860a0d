import { crc32 } from 'node:zlib';
import { systemCode, type FileSystem, type OpenFile } from './file-system.js';
import { writeFully } from './write-file.js';

// Little endian: u32 CRC-32 of all that follows, u32 bytes of the text, text, zeros.
const FILE_BYTES = 2 * 1024;
const HEADER_BYTES = 8;
const CHECKED_FROM = 4;

/**
 * A short text that is replaced often. It is not synced: it survives the end of the process, and need not survive that of the
 * machine. The file has its full size from the first write on, so that replacing works on a full disk.
 */
export class NoteFile {
  #file: Promise<OpenFile> | undefined;

  constructor(
    private readonly fs: FileSystem,
    private readonly path: string,
  ) {}

  /** Returns the text; '' when there is none, or when it is damaged. */
  async read(): Promise<string> {
    const bytes = Buffer.alloc(FILE_BYTES);
    await (await this.#open()).read(bytes, 0);
    const end = HEADER_BYTES + bytes.readUInt32LE(4);
    const isValid = end <= FILE_BYTES && crc32(bytes.subarray(CHECKED_FROM, end)) === bytes.readUInt32LE(0);
    return isValid ? bytes.toString('utf8', HEADER_BYTES, end) : '';
  }

  /** One call at a time. */
  async write(text: string): Promise<void> {
    const length = Buffer.byteLength(text);
    if (length > FILE_BYTES - HEADER_BYTES) throw new RangeError('the note is too long');
    const bytes = Buffer.alloc(FILE_BYTES);
    bytes.writeUInt32LE(length, 4);
    bytes.write(text, HEADER_BYTES);
    bytes.writeUInt32LE(crc32(bytes.subarray(CHECKED_FROM, HEADER_BYTES + length)), 0);
    await writeFully(await this.#open(), [bytes], 0);
  }

  async close(): Promise<void> {
    await this.#file?.then((file) => file.close()).catch(() => undefined);
  }

  #open(): Promise<OpenFile> {
    this.#file ??= this.fs
      .open(this.path, 'update')
      .catch((error: unknown) => {
        if (systemCode(error) !== 'ENOENT') throw error;
        return this.fs.open(this.path, 'create');
      })
      .catch((error: unknown) => {
        this.#file = undefined;
        throw error;
      });
    return this.#file;
  }
}
