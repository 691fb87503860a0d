import type { IncomingMessage } from 'node:http';
import { AppError } from '@assay/errors';
import { MAX_BODY_BYTES, bodyTooLarge } from './body-limits.js';
import type { BodyGrant } from '../scheduling/byte-budget.js';
import { readChunks } from './read-chunks.js';
import {
  ACCEPTED_ENCODINGS,
  Inflater,
  inflateWholeSync,
  looksLikeGzip,
  type Compression,
  type ZlibCompression,
} from './inflate.js';
import { inflateZstd } from './inflate-zstd.js';

export interface ReadBodyOptions {
  /** Maximum size after decompression, in bytes. */
  readonly maxBytes?: number;
  /** Treats a body that starts like gzip as gzip even without `Content-Encoding`: some exporters omit the header. */
  readonly sniffGzip?: boolean;
  /** Called when all checks of the headers have passed, before the first byte is read: the time for `100 Continue`. */
  readonly onAccepted?: () => void;
}

/** A compressed body up to this size is buffered before inflating, because its last bytes declare the inflated size. */
const MAX_BUFFERED_BYTES = 4_194_304;
/** A compressed body up to this size is inflated synchronously when the result is small too. */
const MAX_SYNC_BYTES = 65_536;

/**
 * Reads and inflates the body of a request within the byte budget. The bytes stay reserved in `grant` until the caller
 * releases it. Rejections that need only the headers come before the first byte is read.
 * @returns the bytes; empty when there is no body
 * @throws AppError `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE`, `OVERLOADED`, `REQUEST_TIMEOUT`, `VALIDATION_ERROR` for damaged data
 */
export async function readBody(
  request: IncomingMessage,
  grant: BodyGrant,
  options: ReadBodyOptions = {},
): Promise<Buffer> {
  const maxBytes = options.maxBytes ?? MAX_BODY_BYTES;
  const compression = compressionOf(request);
  const declared = declaredLength(request);
  if (declared > maxBytes) throw bodyTooLarge(maxBytes);
  grant.assertAvailable(declared);
  options.onAccepted?.();
  const body = new GrowingBody(grant, maxBytes);
  if (compression !== undefined && declared > 0 && declared <= MAX_BUFFERED_BYTES)
    return inflateBuffered(request, compression, body);
  if (compression !== undefined)
    return inflateChunks({ compression, chunks: chunksOf(request), isWhole: false }, body);
  await readChunks(request, (chunk) => body.add(chunk));
  const bytes = body.join();
  return options.sniffGzip && looksLikeGzip(bytes) ? inflateBytes('gzip', bytes, body) : bytes;
}

/**
 * Accepts a body that was received as a whole, as {@link readBody} does: reserves its bytes in `grant` and inflates it.
 * @throws AppError `PAYLOAD_TOO_LARGE`, `OVERLOADED`, `VALIDATION_ERROR` for damaged data
 */
export async function acceptBody(
  bytes: Buffer,
  compression: Compression | undefined,
  grant: BodyGrant,
  maxBytes: number,
): Promise<Buffer> {
  const body = new GrowingBody(grant, maxBytes);
  body.add(bytes);
  const received = body.join();
  return compression === undefined ? received : inflateBytes(compression, received, body);
}

/** `Content-Length`, or 0 when the length is not declared. */
export function declaredLength(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? 0);
}

/** @throws AppError `UNSUPPORTED_MEDIA_TYPE` for an unsupported coding */
export function compressionOf(request: IncomingMessage): Compression | undefined {
  const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return undefined;
  if (coding === 'gzip' || coding === 'x-gzip') return 'gzip';
  if (coding === 'deflate' || coding === 'zstd') return coding;
  throw unknownEncoding('Content-Encoding');
}

/** Returns the error of a body in another encoding. It names those that are accepted, also in a header of the response. */
export function unknownEncoding(header: string): AppError {
  return new AppError('UNSUPPORTED_MEDIA_TYPE', `${header} must be gzip, deflate, zstd or identity`, {
    details: { acceptEncoding: ACCEPTED_ENCODINGS },
  });
}

/** Body that grows within the size limit and the byte budget. */
class GrowingBody {
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(
    private readonly grant: BodyGrant,
    readonly maxBytes: number,
  ) {}

  add(chunk: Buffer): void {
    this.grow(chunk.length);
    this.#chunks.push(chunk);
  }

  /** Counts bytes that are collected elsewhere. */
  grow(bytes: number): void {
    if (this.#length + bytes > this.maxBytes) throw bodyTooLarge(this.maxBytes);
    this.grant.reserve(bytes);
    this.#length += bytes;
  }

  /** Returns the bytes so far and drops the chunks. */
  join(): Buffer {
    const bytes =
      this.#chunks.length === 1
        ? (this.#chunks[0] ?? Buffer.alloc(0))
        : Buffer.concat(this.#chunks, this.#length);
    this.#chunks = [];
    return bytes;
  }

  /** Drops the chunks, so that their inflated form can be added. Their bytes stay reserved until {@link release}. Returns their number. */
  restart(): number {
    const length = this.#length;
    this.#chunks = [];
    this.#length = 0;
    return length;
  }

  release(length: number): void {
    this.grant.release(length);
  }
}

/** Yields the chunks of the body, each read only after the previous one was consumed. Stopping early leaves the request open. */
async function* chunksOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
  } catch (cause) {
    throw new AppError('REQUEST_TIMEOUT', 'the connection ended before the body was complete', { cause });
  }
}

async function inflateBuffered(
  request: IncomingMessage,
  compression: Compression,
  body: GrowingBody,
): Promise<Buffer> {
  await readChunks(request, (chunk) => body.add(chunk));
  return inflateBytes(compression, body.join(), body);
}

async function inflateBytes(compression: Compression, bytes: Buffer, body: GrowingBody): Promise<Buffer> {
  const compressed = body.restart();
  const inflated = await inflateWhole(compression, bytes, body);
  body.release(compressed);
  return inflated;
}

async function inflateWhole(compression: Compression, bytes: Buffer, body: GrowingBody): Promise<Buffer> {
  const isSmall = bytes.length <= MAX_SYNC_BYTES;
  const small = isSmall && compression !== 'zstd' ? inflateWholeSync(compression, bytes) : undefined;
  if (small === undefined) return inflateChunks({ compression, chunks: [bytes], isWhole: true }, body);
  body.add(small);
  return body.join();
}

interface CompressedBody {
  readonly compression: Compression;
  readonly chunks: AsyncIterable<Buffer> | Iterable<Buffer>;
  /** Whether there is one chunk, the whole body. */
  readonly isWhole: boolean;
}

function inflateChunks(source: CompressedBody, body: GrowingBody): Promise<Buffer> {
  const { compression } = source;
  const chunks = limited(source.chunks, body.maxBytes);
  if (compression === 'zstd') return inflateZstd(chunks, (bytes) => body.grow(bytes));
  return inflateWithZlib({ ...source, chunks }, compression, body);
}

/** @throws AppError `PAYLOAD_TOO_LARGE` when the compressed bytes alone are too many */
async function* limited(chunks: CompressedBody['chunks'], maxBytes: number): AsyncGenerator<Buffer> {
  let compressed = 0;
  for await (const chunk of chunks) {
    compressed += chunk.length;
    if (compressed > maxBytes) throw bodyTooLarge(maxBytes);
    yield chunk;
  }
}

async function inflateWithZlib(
  { chunks, isWhole }: CompressedBody,
  compression: ZlibCompression,
  body: GrowingBody,
): Promise<Buffer> {
  const onInflated = (inflated: Buffer) => body.add(inflated);
  let inflater: Inflater | undefined;
  try {
    for await (const chunk of chunks) {
      inflater ??= new Inflater({ compression, head: chunk, isWhole, onInflated });
      await inflater.write(chunk);
    }
    await inflater?.finish();
    return body.join();
  } finally {
    inflater?.stop();
  }
}
