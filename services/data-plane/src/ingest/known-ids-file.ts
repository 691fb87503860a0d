import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Logger } from '@assay/runtime';
import type { FilterGeneration } from './event-id-filter.js';

/** The content of a filter of event ids. */
export interface KnownIds {
  /** When it had all ids of the store, Unix seconds; it may have later ones, too. */
  readonly at: number;
  readonly generations: readonly FilterGeneration[];
}

/** The first line of the file: what the bytes behind it are. A checksum of them follows, 4 bytes. */
interface Header {
  readonly format: typeof FORMAT;
  readonly at: number;
  readonly generations: readonly (Omit<FilterGeneration, 'bits'> & { readonly bytes: number })[];
}

const FORMAT = 'known event ids 2';
const NOT_WHOLE = 'the file is not whole';
const LINE_FEED = 0x0a;
/** More than the first line has. */
const MAX_HEADER = 65_536;
const BYTES_OF_NUMBER = 4;
/** Bytes that are copied and written together, which takes a millisecond of the event loop. */
const CHUNK = 1 << 20;

/**
 * File with the ids of the events of a store as they were at some time, for the next start. It is beside the store, so that both are copied or
 * lost together. Without a whole one the ids are read from the store.
 */
export class KnownIdsFile {
  constructor(
    private readonly path: string,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /**
   * Returns the content; undefined without a whole file of at most so many bytes, or when it is of a later time than now, Unix
   * seconds: rows may have been stored by a clock that was set back. A file that is not used is removed.
   */
  async read(maxBytes: number, now: number): Promise<KnownIds | undefined> {
    const file = await open(this.path, 'r').catch(() => undefined);
    if (file === undefined) return undefined;
    try {
      const found = await read(file, maxBytes);
      if (found.at > now) throw new Error('the file is of a later time');
      return found;
    } catch (error) {
      await rm(this.path, { force: true });
      this.logger.warn('the kept event ids are not used, they are read from the store', {}, error);
      return undefined;
    } finally {
      await file.close();
    }
  }

  /** Writes the file, while ids can be added. A failure is logged, and leaves none: the next start reads the ids from the store. */
  async write({ at, generations }: KnownIds): Promise<void> {
    const temporary = `${this.path}.new`;
    try {
      const header: Header = {
        ...{ format: FORMAT, at },
        generations: generations.map(({ bits, ...rest }) => ({ ...rest, bytes: bits.byteLength })),
      };
      const file = await open(temporary, 'w');
      try {
        await writeAll(file, Buffer.from(`${JSON.stringify(header)}\n`));
        let checksum = 0;
        for (const one of generations) checksum = await writeBits(file, one, checksum);
        await writeAll(file, bytesOfNumber(checksum));
      } finally {
        await file.close();
      }
      await rename(temporary, this.path);
    } catch (error) {
      for (const path of [temporary, this.path]) await rm(path, { force: true }).catch(() => undefined);
      this.logger.warn('the event ids could not be kept for the next start', {}, error);
    }
  }
}

/** Returns the checksum of the bytes behind those of another one. */
async function writeBits(file: FileHandle, generation: FilterGeneration, before: number): Promise<number> {
  const bytes = bytesOf(generation);
  let checksum = before;
  for (let start = 0; start < bytes.length; start += CHUNK) {
    // A copy: bits are set while it is written.
    const chunk = Buffer.from(bytes.subarray(start, start + CHUNK));
    checksum = crc32(chunk, checksum);
    await writeAll(file, chunk);
  }
  return checksum;
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  const { bytesWritten } = await file.write(bytes);
  if (bytesWritten < bytes.length) throw new Error('the disk is full');
}

/** Nothing is synced: after a power failure the checksum tells. @throws Error when the file is not whole */
async function read(file: FileHandle, maxBytes: number): Promise<KnownIds> {
  const { size } = await file.stat();
  const head = await readAt(file, Buffer.alloc(Math.min(size, MAX_HEADER)), 0);
  const end = head.indexOf(LINE_FEED);
  const { format, at, generations } = JSON.parse(head.toString('latin1', 0, end)) as Header;
  let start = end + 1;
  const length = generations.reduce((sum, { bytes }) => sum + bytes, start) + BYTES_OF_NUMBER;
  if (format !== FORMAT || length !== size || size - start > maxBytes) throw new Error(NOT_WHOLE);
  const filled: FilterGeneration[] = [];
  let checksum = 0;
  for (const { bytes, ...rest } of generations) {
    const one = { ...rest, bits: new Uint32Array(bytes / BYTES_OF_NUMBER) };
    checksum = crc32(await readAt(file, bytesOf(one), start), checksum);
    start += bytes;
    filled.push(one);
  }
  const kept = await readAt(file, Buffer.alloc(BYTES_OF_NUMBER), start);
  if (!kept.equals(bytesOfNumber(checksum))) throw new Error(NOT_WHOLE);
  return { at, generations: filled };
}

async function readAt(file: FileHandle, into: Buffer, position: number): Promise<Buffer> {
  const { bytesRead } = await file.read(into, 0, into.length, position);
  if (bytesRead < into.length) throw new Error(NOT_WHOLE);
  return into;
}

function bytesOf({ bits: { buffer, byteOffset, byteLength } }: FilterGeneration): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function bytesOfNumber(value: number): Buffer {
  const bytes = Buffer.alloc(BYTES_OF_NUMBER);
  bytes.writeUInt32BE(value);
  return bytes;
}
