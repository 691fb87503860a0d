import type { ServerReadableStream } from '@grpc/grpc-js';
import { AppError, validationError } from '@assay/errors';
import { bodyTooLarge, MAX_BODY_BYTES } from '../body/body-limits.js';
import type { Compression } from '../body/inflate.js';
import { acceptBody, unknownEncoding, type ReadBodyOptions } from '../body/read-body.js';
import type { BodyGrant } from '../scheduling/byte-budget.js';
import type { IncompleteRequest } from '../connections/incomplete-requests.js';
import type { IncomingStream } from './incoming-streams.js';

/** The handler's side of a call: reading from it receives the message. */
export type IncomingCall = ServerReadableStream<Buffer, Buffer>;

/** A call whose message is received. */
export interface ReceivedCall {
  readonly call: IncomingCall;
  readonly incoming: IncomingStream;
  /** Limits the calls whose message has not arrived, and rejects one that arrives too slowly. */
  readonly register: (request: IncompleteRequest) => void;
}

/** Flag for compression and length of the message. */
const PREFIX_BYTES = 5;
/**
 * Receives and inflates the message of a call within the size limit and the byte budget. Its bytes stay reserved in
 * `grant` until the caller releases it. A message that does not fit is rejected by its declared length.
 * @throws AppError `PAYLOAD_TOO_LARGE`, `OVERLOADED`, `REQUEST_TIMEOUT`, `UNSUPPORTED_MEDIA_TYPE`, `VALIDATION_ERROR`
 */
export async function readMessage(
  { call, incoming, register }: ReceivedCall,
  grant: BodyGrant,
  { maxBytes = MAX_BODY_BYTES }: ReadBodyOptions,
): Promise<Buffer> {
  const meter = new MessageMeter(grant, maxBytes);
  const message = await receive({ call, incoming, register }, meter);
  const compression = meter.isCompressed ? compressionOf(incoming.encoding) : undefined;
  meter.release();
  return acceptBody(message, compression, grant, maxBytes);
}

/** Reserves the bytes of a message while they arrive. */
class MessageMeter {
  #prefix = Buffer.alloc(0);
  #received = 0;
  #limit = Infinity;

  constructor(
    private readonly grant: BodyGrant,
    private readonly maxBytes: number,
  ) {}

  get received(): number {
    return this.#received;
  }

  get isCompressed(): boolean {
    return this.#prefix[0] === 1;
  }

  /** @throws AppError when the message does not fit, or has more bytes than it declares */
  add(chunk: Buffer): void {
    if (this.#prefix.length < PREFIX_BYTES) this.#readPrefix(chunk);
    if (this.#received + chunk.length > this.#limit) throw validationError('a call must have one message');
    this.grant.reserve(chunk.length);
    this.#received += chunk.length;
  }

  /** Releases what was reserved. */
  release(): void {
    this.grant.release(this.#received);
  }

  #readPrefix(chunk: Buffer): void {
    this.#prefix = Buffer.concat([this.#prefix, chunk.subarray(0, PREFIX_BYTES - this.#prefix.length)]);
    if (this.#prefix.length < PREFIX_BYTES) return;
    const length = this.#prefix.readUInt32BE(1);
    if (length > this.maxBytes) throw bodyTooLarge(this.maxBytes);
    this.grant.assertAvailable(length);
    this.#limit = PREFIX_BYTES + length;
  }
}

/** Resolves to the message, compressed or not, as the client sent it. Reading starts here: until now the client is held by flow control. */
function receive({ call, incoming, register }: ReceivedCall, meter: MessageMeter): Promise<Buffer> {
  const { stream, socket } = incoming;
  return new Promise((resolve, reject) => {
    let message: Buffer | undefined;
    let isSettled = false;
    const fail = (error: unknown) =>
      settle(() => reject(error instanceof Error ? error : new Error(String(error))));
    const onChunk = (chunk: Buffer) => {
      try {
        meter.add(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const onMessage = (bytes: Buffer) => {
      message = bytes;
    };
    const onEnd = () =>
      settle(() => (message ? resolve(message) : reject(validationError('a call must have one message'))));
    const onCancel = () => fail(cancelled());
    const settle = (outcome: () => void) => {
      isSettled = true;
      stream.off('data', onChunk);
      call.off('data', onMessage).off('end', onEnd).off('cancelled', onCancel);
      outcome();
    };
    if (call.cancelled) return onCancel();
    // Before grpc-js: it may complete the message with this chunk.
    stream.prependListener('data', onChunk);
    call.on('data', onMessage).on('end', onEnd).on('cancelled', onCancel);
    register({
      socket,
      isComplete: () => isSettled,
      receivedBytes: () => meter.received,
      isHeldBack: () => false,
      reject: onCancel,
    });
  });
}

function cancelled(): AppError {
  return new AppError('REQUEST_TIMEOUT', 'the call ended before its message was complete');
}

/** @throws AppError `UNSUPPORTED_MEDIA_TYPE` */
function compressionOf(encoding: string | undefined): Compression {
  if (encoding === 'gzip' || encoding === 'deflate' || encoding === 'zstd') return encoding;
  throw unknownEncoding('grpc-encoding');
}
