import type { IncomingMessage } from 'node:http';
import { AppError } from '@assay/errors';
import { MAX_BODY_BYTES, bodyTooLarge } from './body-limits.js';
import type { BodyGrant } from '../scheduling/byte-budget.js';
import { collect } from './collect.js';
import { Inflater, inflateWholeSync, looksLikeGzip, type Compression } from './inflate.js';

export interface ReadBodyOptions {
  /** Bytes after decompression. */
  readonly maxBytes?: number;
  /** Takes a body that begins like gzip as gzip, also when no header says so: some exporters forget it. */
  readonly sniffGzip?: boolean;
  /** Called once nothing speaks against reading: the moment for `100 Continue`. */
  readonly onAdmitted?: () => void;
}

/** A compressed body up to this size is gathered first, because its end says how long it becomes. */
const GATHERED_BYTES = 4_194_304;
/** One up to this size is inflated at once when the result is small, too. */
const SYNC_BYTES = 65_536;

/**
 * Reads the body of a request, inflated, while the budget allows. What it holds stays taken from `grant` until the caller
 * releases that. Refuses what can be refused from the headers before a byte is read.
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
  grant.admit(declared);
  options.onAdmitted?.();
  const body = new GrowingBody(grant, maxBytes);
  if (compression !== undefined && declared > 0 && declared <= GATHERED_BYTES)
    return inflateGathered(request, compression, body);
  if (compression !== undefined) return inflatePieces(compression, piecesOf(request), body, false);
  await collect(request, (chunk) => body.add(chunk));
  const bytes = body.join();
  return options.sniffGzip && looksLikeGzip(bytes) ? inflateBytes('gzip', bytes, body) : bytes;
}

/** `Content-Length`, or 0 when the length is not known beforehand. */
export function declaredLength(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? 0);
}

/** @throws AppError `UNSUPPORTED_MEDIA_TYPE` for a coding that is not offered */
export function compressionOf(request: IncomingMessage): Compression | undefined {
  const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return undefined;
  if (coding === 'gzip' || coding === 'x-gzip') return 'gzip';
  if (coding === 'deflate') return 'deflate';
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding must be gzip, deflate or identity');
}

/** Bytes that grow within the limit and the budget. */
class GrowingBody {
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(
    private readonly grant: BodyGrant,
    readonly maxBytes: number,
  ) {}

  add(chunk: Buffer): void {
    if (this.#length + chunk.length > this.maxBytes) throw bodyTooLarge(this.maxBytes);
    this.grant.take(chunk.length);
    this.#length += chunk.length;
    this.#chunks.push(chunk);
  }

  /** The bytes so far; the pieces are forgotten. */
  join(): Buffer {
    const bytes =
      this.#chunks.length === 1
        ? (this.#chunks[0] ?? Buffer.alloc(0))
        : Buffer.concat(this.#chunks, this.#length);
    this.#chunks = [];
    return bytes;
  }

  /** Begins anew with what the bytes so far inflate to; those stay taken until {@link giveBack}. Returns their number. */
  reset(): number {
    const length = this.#length;
    this.#chunks = [];
    this.#length = 0;
    return length;
  }

  giveBack(length: number): void {
    this.grant.give(length);
  }
}

/** The body in pieces, each read only when the one before is done with; stopping early leaves the request open. */
async function* piecesOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false })) yield piece as Buffer;
  } catch (cause) {
    throw new AppError('REQUEST_TIMEOUT', 'the connection ended before the body was complete', { cause });
  }
}

async function inflateGathered(
  request: IncomingMessage,
  compression: Compression,
  body: GrowingBody,
): Promise<Buffer> {
  await collect(request, (chunk) => body.add(chunk));
  return inflateBytes(compression, body.join(), body);
}

async function inflateBytes(compression: Compression, bytes: Buffer, body: GrowingBody): Promise<Buffer> {
  const compressed = body.reset();
  const inflated = await inflateWhole(compression, bytes, body);
  body.giveBack(compressed);
  return inflated;
}

async function inflateWhole(compression: Compression, bytes: Buffer, body: GrowingBody): Promise<Buffer> {
  const small = bytes.length <= SYNC_BYTES ? inflateWholeSync(compression, bytes) : undefined;
  if (small === undefined) return inflatePieces(compression, [bytes], body, true);
  body.add(small);
  return body.join();
}

/** @param whole whether there is one piece, the whole body */
async function inflatePieces(
  compression: Compression,
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  body: GrowingBody,
  whole: boolean,
): Promise<Buffer> {
  let inflater: Inflater | undefined;
  let compressed = 0;
  try {
    for await (const piece of pieces) {
      compressed += piece.length;
      if (compressed > body.maxBytes) throw bodyTooLarge(body.maxBytes);
      inflater ??= new Inflater(compression, piece, (chunk) => body.add(chunk), whole);
      await inflater.write(piece);
    }
    await inflater?.finish();
    return body.join();
  } finally {
    inflater?.stop();
  }
}
