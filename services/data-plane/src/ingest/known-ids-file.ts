import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Logger } from '@assay/runtime';
import type { FilterGeneration } from './event-id-filter.js';

/** The content of a filter of event ids. */
export interface KnownIds {
  /** When it had all ids of the store, Unix seconds. */
  readonly at: number;
  readonly generations: readonly FilterGeneration[];
}

/** The first line of the file: what the bytes behind it are. */
interface Header {
  readonly format: typeof FORMAT;
  readonly at: number;
  readonly checksum: number;
  readonly generations: readonly (Omit<FilterGeneration, 'bits'> & { readonly bytes: number })[];
}

const FORMAT = 'known event ids 1';
const NOT_WHOLE = 'the file is not whole';
const LINE_FEED = 0x0a;
/** More than the first line has. */
const MAX_HEADER = 65_536;
const BYTES_OF_NUMBER = 4;

/**
 * File with the ids of the events of a store, from the end of a process to the start of the next one. It is beside the store, so that both
 * are copied or lost together, and is removed before it is used: a process that is killed leaves none. Without a whole one the ids are read
 * from the store.
 */
export class KnownIdsFile {
  constructor(
    private readonly path: string,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Returns the content and removes the file; undefined without a whole one of at most so many bytes. */
  async take(maxBytes: number): Promise<KnownIds | undefined> {
    const file = await open(this.path, 'r').catch(() => undefined);
    if (file === undefined) return undefined;
    try {
      await rm(this.path);
      return await read(file, maxBytes);
    } catch (error) {
      this.logger.warn('the kept event ids are not used, they are read from the store', {}, error);
      return undefined;
    } finally {
      await file.close();
    }
  }

  /** Writes the file. A failure is logged: the next process reads the ids from the store. */
  async write({ at, generations }: KnownIds): Promise<void> {
    const temporary = `${this.path}.new`;
    try {
      const bits = generations.map(bytesOf);
      const header: Header = {
        ...{ format: FORMAT, at, checksum: checksumOf(bits) },
        generations: generations.map(({ bits: { byteLength: bytes }, ...rest }) => ({ ...rest, bytes })),
      };
      const parts = [Buffer.from(`${JSON.stringify(header)}\n`), ...bits];
      const file = await open(temporary, 'w');
      try {
        const { bytesWritten } = await file.writev(parts);
        if (bytesWritten < sumOf(parts)) throw new Error('the disk is full');
      } finally {
        await file.close();
      }
      await rename(temporary, this.path);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      this.logger.warn('the event ids could not be kept for the next start', {}, error);
    }
  }
}

/** Nothing is synced: after a power failure the checksum tells. @throws Error when the file is not whole */
async function read(file: FileHandle, maxBytes: number): Promise<KnownIds> {
  const { size } = await file.stat();
  const head = await readAt(file, Buffer.alloc(Math.min(size, MAX_HEADER)), 0);
  const end = head.indexOf(LINE_FEED);
  const { format, at, checksum, generations } = JSON.parse(head.toString('latin1', 0, end)) as Header;
  let start = end + 1;
  const length = generations.reduce((sum, { bytes }) => sum + bytes, start);
  if (format !== FORMAT || length !== size || size - start > maxBytes) throw new Error(NOT_WHOLE);
  const filled: FilterGeneration[] = [];
  for (const { bytes, ...rest } of generations) {
    const one = { ...rest, bits: new Uint32Array(bytes / BYTES_OF_NUMBER) };
    await readAt(file, bytesOf(one), start);
    start += bytes;
    filled.push(one);
  }
  if (checksumOf(filled.map(bytesOf)) !== checksum) throw new Error(NOT_WHOLE);
  return { at, generations: filled };
}

async function readAt(file: FileHandle, into: Buffer, position: number): Promise<Buffer> {
  const { bytesRead } = await file.read(into, 0, into.length, position);
  if (bytesRead < into.length) throw new Error(NOT_WHOLE);
  return into;
}

function sumOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function bytesOf({ bits: { buffer, byteOffset, byteLength } }: FilterGeneration): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function checksumOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, part) => crc32(part, sum), 0);
}
