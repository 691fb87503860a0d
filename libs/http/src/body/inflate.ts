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

export type Compression = 'gzip' | 'deflate';

/** A body that inflates to less than this is inflated at once; the thread pool costs more than it saves. */
const SYNC_OUTPUT_BYTES = 1_048_576;
const CHUNK_BYTES = 65_536;
/** The largest piece that is made in one go because a body says how long it becomes, and how much longer that may be than the body is. */
const MAX_CHUNK_BYTES = 16_777_216;
const MAX_RATIO = 32;

type Engine = Gunzip | Inflate | InflateRaw;
/** What node:zlib returns with `info`; the counters of its engine are not in its types' result. */
interface WithEngine {
  readonly buffer: Buffer;
  readonly engine: Engine;
}

const GZIP_MAGIC = [0x1f, 0x8b] as const;

/** Whether the bytes begin like gzip (RFC 1952), as far as they go. */
export function looksLikeGzip(bytes: Uint8Array): boolean {
  return bytes[0] === GZIP_MAGIC[0] && (bytes.length === 1 || bytes[1] === GZIP_MAGIC[1]);
}

/** Whether a deflate stream carries the zlib wrapper (RFC 1950): low four bits 8, window of at most 2^15. */
function hasZlibWrapper(first: number): boolean {
  return (first & 0x0f) === 8 && first >> 4 <= 7;
}

/**
 * Bytes that a gzip body says it inflates to, in its last four bytes; a body of several members tells the length of the last one, a damaged one anything.
 * @returns undefined when it does not say
 */
function toldLength(compression: Compression, bytes: Buffer): number | undefined {
  return compression === 'gzip' && bytes.length >= GZIP_LEAST_BYTES
    ? bytes.readUInt32LE(bytes.length - 4)
    : undefined;
}

/** Header, an empty block and trailer. */
const GZIP_LEAST_BYTES = 20;

/**
 * Size of the pieces in which the result is made. One piece that takes all costs a third less than many that are joined; a byte more shows zlib that it
 * is not full.
 */
function chunkBytes(compression: Compression, bytes: Buffer): number {
  const told = toldLength(compression, bytes);
  const believable = told !== undefined && told <= Math.min(bytes.length * MAX_RATIO, MAX_CHUNK_BYTES);
  return believable ? Math.max(told + 1, 1024) : CHUNK_BYTES;
}

/**
 * Inflates a small compressed body in one call.
 * @returns undefined when the result would be larger than 1 MiB: then it is a task for {@link Inflater}
 * @throws AppError `VALIDATION_ERROR` when the data is damaged
 */
export function inflateWholeSync(compression: Compression, bytes: Buffer): Buffer | undefined {
  if ((toldLength(compression, bytes) ?? 0) > SYNC_OUTPUT_BYTES) return undefined;
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
    if (toldBy(error).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error instanceof AppError ? error : damaged(compression, error, bytes);
  }
}

function syncEngine(compression: Compression, bytes: Buffer) {
  if (compression === 'gzip') return gunzipSync;
  return hasZlibWrapper(bytes[0] ?? 0) ? inflateSync : inflateRawSync;
}

function isWithEngine(result: unknown): result is WithEngine {
  return typeof result === 'object' && result !== null && 'engine' in result;
}

/**
 * Inflates as the bytes come. Several gzip members are one body. `head` are the first bytes, or `whole` all of them. `onInflated` gets every piece and
 * stops the work by throwing.
 */
export class Inflater {
  readonly #compression: Compression;
  readonly #engine: Engine;
  readonly #head: Buffer;
  readonly #done: Promise<void>;
  #fed = 0;
  #ended = false;

  constructor(compression: Compression, head: Buffer, onInflated: (chunk: Buffer) => void, whole = false) {
    this.#compression = compression;
    this.#head = head;
    this.#engine = streamEngine(compression, head, whole ? chunkBytes(compression, head) : CHUNK_BYTES);
    this.#done = this.#run(onInflated);
    // The outcome is looked at by finish(); until then a failure must not count as unhandled.
    this.#done.catch(() => undefined);
  }

  /** Feeds bytes. Resolves when more may come. @throws what {@link finish} throws, as soon as it is known */
  async write(chunk: Buffer): Promise<void> {
    this.#fed += chunk.length;
    await Promise.race([
      this.#done,
      new Promise<void>((resolve) => this.#engine.write(chunk, () => resolve())),
    ]);
  }

  /**
   * Ends the input and waits for the rest.
   * @throws AppError `VALIDATION_ERROR` when the data is damaged, ends early or goes on after its end; what `onInflated` threw
   */
  async finish(): Promise<void> {
    this.#ended = true;
    this.#engine.end();
    await this.#done;
  }

  /** Stops the work and frees the engine. Idempotent. */
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
        this.#endedAtItsEnd() ? resolve() : reject(bytesAfterEnd(this.#compression)),
      );
      this.#engine.on('error', (error) => reject(damaged(this.#compression, error, this.#head)));
    });
  }

  #endedAtItsEnd(): boolean {
    return this.#ended && this.#engine.bytesWritten === this.#fed;
  }
}

function streamEngine(compression: Compression, head: Buffer, chunkSize: number): Engine {
  const options = { chunkSize };
  if (compression === 'gzip') return createGunzip(options);
  return hasZlibWrapper(head[0] ?? 0) ? createInflate(options) : createInflateRaw(options);
}

function bytesAfterEnd(compression: Compression): AppError {
  return validationError(`body has bytes after the end of the ${compression} data`);
}

function damaged(compression: Compression, error: unknown, head: Uint8Array): AppError {
  const { code, message } = toldBy(error);
  if (compression === 'gzip' && !looksLikeGzip(head))
    return validationError('body is not gzip, although Content-Encoding says so', { cause: error });
  if (code === 'Z_BUF_ERROR') return validationError(`${compression} data ends early`, { cause: error });
  // After a first member that was whole, gzip wants another one: what has no header is not a member.
  if (compression === 'gzip' && message === 'incorrect header check') return bytesAfterEnd(compression);
  return validationError(`${compression} data is damaged`, { cause: error });
}

function toldBy(error: unknown): { readonly code?: unknown; readonly message?: unknown } {
  return typeof error === 'object' && error !== null ? error : {};
}
