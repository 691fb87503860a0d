import {
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type Gunzip,
  type Inflate,
  type InflateRaw,
} from 'node:zlib';
import { AppError, validationError } from '@assay/errors';

/** Compressions that `node:zlib` inflates. */
export type ZlibCompression = 'gzip' | 'deflate';
export type Compression = ZlibCompression | 'zstd';

/** Value of `Accept-Encoding` in a response to another one. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, zstd';

/** A body that inflates to at most this size is inflated synchronously; the thread pool would cost more than it saves. */
const SYNC_OUTPUT_BYTES = 1_048_576;
const CHUNK_BYTES = 65_536;
/** The declared size of a body is used as the chunk size only up to this size and this ratio to the compressed size. */
const MAX_CHUNK_BYTES = 16_777_216;
const MAX_RATIO = 32;

type Engine = Gunzip | Inflate | InflateRaw;
/** What node:zlib returns with `info: true`; its type declarations lack the engine. */
interface WithEngine {
  readonly buffer: Buffer;
  readonly engine: Engine;
}

const GZIP_MAGIC = [0x1f, 0x8b] as const;

/** Whether the bytes start with the gzip magic number (RFC 1952) or with its first byte alone. */
export function looksLikeGzip(bytes: Uint8Array): boolean {
  return bytes[0] === GZIP_MAGIC[0] && (bytes.length === 1 || bytes[1] === GZIP_MAGIC[1]);
}

/** Whether a deflate stream has the zlib wrapper (RFC 1950): low four bits 8, window of at most 2^15. */
function hasZlibWrapper(first: number): boolean {
  return (first & 0x0f) === 8 && first >> 4 <= 7;
}

/**
 * Inflated size that a gzip body declares in its last four bytes. It is a hint: a body of several members declares the
 * size of the last one, and a damaged body may declare anything.
 * @returns undefined when the format declares no size
 */
function declaredSize(compression: ZlibCompression, bytes: Buffer): number | undefined {
  return compression === 'gzip' && bytes.length >= MIN_GZIP_BYTES
    ? bytes.readUInt32LE(bytes.length - 4)
    : undefined;
}

/** Header, empty block and trailer. */
const MIN_GZIP_BYTES = 20;

/**
 * Chunk size of the output. A single chunk costs a third less than many that are concatenated. The additional byte lets
 * zlib finish without allocating a second chunk.
 */
function chunkBytes(compression: ZlibCompression, bytes: Buffer): number {
  const size = declaredSize(compression, bytes);
  const isPlausible = size !== undefined && size <= Math.min(bytes.length * MAX_RATIO, MAX_CHUNK_BYTES);
  return isPlausible ? Math.max(size + 1, 1024) : CHUNK_BYTES;
}

/**
 * Inflates a small compressed body synchronously.
 * @returns undefined when the result would be larger than 1 MiB; use {@link Inflater} then
 * @throws AppError `VALIDATION_ERROR` when the data is damaged
 */
export function inflateWholeSync(compression: ZlibCompression, bytes: Buffer): Buffer | undefined {
  if ((declaredSize(compression, bytes) ?? 0) > SYNC_OUTPUT_BYTES) return undefined;
  const options = {
    maxOutputLength: SYNC_OUTPUT_BYTES,
    chunkSize: chunkBytes(compression, bytes),
    info: true,
  };
  try {
    const result: unknown = syncEngine(compression, bytes)(bytes, options);
    if (!isWithEngine(result)) return undefined;
    if (result.engine.bytesWritten !== bytes.length) throw bytesAfterEnd(compression);
    return result.buffer;
  } catch (error) {
    if (errorFields(error).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error instanceof AppError ? error : damaged(compression, error, bytes);
  }
}

function syncEngine(compression: ZlibCompression, bytes: Buffer) {
  if (compression === 'gzip') return gunzipSync;
  return hasZlibWrapper(bytes[0] ?? 0) ? inflateSync : inflateRawSync;
}

function isWithEngine(result: unknown): result is WithEngine {
  return typeof result === 'object' && result !== null && 'engine' in result;
}

export interface InflaterOptions {
  readonly compression: ZlibCompression;
  /** The first bytes of the body. */
  readonly head: Buffer;
  /** Whether `head` is the whole body. */
  readonly isWhole: boolean;
  /** Receives every inflated chunk; throwing stops the inflater. */
  readonly onInflated: (chunk: Buffer) => void;
}

/** Streaming inflater. Several gzip members count as one body. */
export class Inflater {
  readonly #compression: ZlibCompression;
  readonly #engine: Engine;
  readonly #head: Buffer;
  readonly #done: Promise<void>;
  #written = 0;
  #ended = false;

  constructor({ compression, head, isWhole, onInflated }: InflaterOptions) {
    this.#compression = compression;
    this.#head = head;
    this.#engine = streamEngine(compression, head, isWhole ? chunkBytes(compression, head) : CHUNK_BYTES);
    this.#done = this.#run(onInflated);
    // finish() awaits the outcome; until then a failure must not count as unhandled.
    this.#done.catch(() => undefined);
  }

  /** Writes compressed bytes. Resolves when the inflater accepts more. @throws what {@link finish} throws, as soon as it is known */
  async write(chunk: Buffer): Promise<void> {
    this.#written += chunk.length;
    await Promise.race([
      this.#done,
      new Promise<void>((resolve) => this.#engine.write(chunk, () => resolve())),
    ]);
  }

  /**
   * Ends the input and waits for the remaining output.
   * @throws AppError `VALIDATION_ERROR` when the data is damaged, truncated or followed by other bytes; what `onInflated` threw
   */
  async finish(): Promise<void> {
    this.#ended = true;
    this.#engine.end();
    await this.#done;
  }

  /** Stops inflating and frees the engine. Idempotent. */
  stop(): void {
    this.#engine.destroy();
  }

  #run(onInflated: (chunk: Buffer) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#engine.on('data', (chunk: Buffer) => {
        try {
          onInflated(chunk);
        } catch (error) {
          this.stop();
          reject(error instanceof Error ? error : new Error('reading failed', { cause: error }));
        }
      });
      this.#engine.on('end', () =>
        this.#isFullyConsumed() ? resolve() : reject(bytesAfterEnd(this.#compression)),
      );
      this.#engine.on('error', (error) => reject(damaged(this.#compression, error, this.#head)));
    });
  }

  #isFullyConsumed(): boolean {
    return this.#ended && this.#engine.bytesWritten === this.#written;
  }
}

function streamEngine(compression: ZlibCompression, head: Buffer, chunkSize: number): Engine {
  const options = { chunkSize };
  if (compression === 'gzip') return createGunzip(options);
  return hasZlibWrapper(head[0] ?? 0) ? createInflate(options) : createInflateRaw(options);
}

function bytesAfterEnd(compression: ZlibCompression): AppError {
  return validationError(`body has bytes after the end of the ${compression} data`);
}

function damaged(compression: ZlibCompression, error: unknown, head: Uint8Array): AppError {
  const { code, message } = errorFields(error);
  if (compression === 'gzip' && !looksLikeGzip(head))
    return validationError('body is not gzip, although Content-Encoding says so', { cause: error });
  if (code === 'Z_BUF_ERROR') return validationError(`${compression} data ends early`, { cause: error });
  // After a complete member, gzip expects another one; bytes without a gzip header are not a member.
  if (compression === 'gzip' && message === 'incorrect header check') return bytesAfterEnd(compression);
  return validationError(`${compression} data is damaged`, { cause: error });
}

function errorFields(error: unknown): { readonly code?: unknown; readonly message?: unknown } {
  return typeof error === 'object' && error !== null ? error : {};
}
