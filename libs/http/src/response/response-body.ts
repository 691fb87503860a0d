import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { unavailable } from '@assay/errors';

/** Text up to this many characters is sent whole. A longer one is written in chunks of this many bytes. */
const CHUNK_LENGTH = 256 * 1024;

/** Takes the parts of a body in order. */
export interface BodyParts {
  /** Whether a part was taken. */
  readonly isStarted: boolean;
  /** Returns a promise that resolves when there is room for more, if there is none. */
  write(part: string | Buffer): Promise<void> | undefined;
  end(part: string | Buffer): void;
}

/** Parts that are kept until all are known. */
export class KeptParts implements BodyParts {
  readonly parts: (string | Buffer)[] = [];
  /** Bytes of all parts. */
  length = 0;

  constructor(private readonly response: ServerResponse) {}

  get isStarted(): boolean {
    return this.parts.length > 0;
  }

  /** @throws AppError `UNAVAILABLE` when the client has disconnected, so that the rest is not encoded */
  write(part: string | Buffer): undefined {
    if (this.response.destroyed) throw disconnected();
    this.parts.push(part);
    this.length += Buffer.byteLength(part);
  }

  end(part: string | Buffer): void {
    this.write(part);
  }
}

/** The body of a response that is sent as the client reads it. */
export class ResponseBody implements BodyParts {
  #stream: Writable | undefined;
  /** Resolves when the client has room again; stays rejected once the client has disconnected. */
  #room: Promise<void> | undefined;

  /** @param open sends the status and the headers, and returns where the body goes: the response, or a stream into it */
  constructor(
    private readonly response: ServerResponse,
    private readonly open: () => Writable,
  ) {}

  get isStarted(): boolean {
    return this.#stream !== undefined;
  }

  /**
   * Sends a part. Returns a promise that resolves when the client has room for more, if it has none. All writes until then return the
   * same one: a caller that waits for the last write leaves no failure without a handler, which would end the process.
   * A client that takes nothing is disconnected by the server, see `StalledResponses`.
   * @throws AppError `UNAVAILABLE` when the client has disconnected
   */
  write(part: string | Buffer): Promise<void> | undefined {
    if (this.response.destroyed) return (this.#room ??= Promise.reject(disconnected()));
    this.#stream ??= this.open();
    if (this.#stream.write(part)) return undefined;
    return (this.#room ??= this.#drained(this.#stream));
  }

  end(part: string | Buffer): void {
    this.#stream ??= this.open();
    this.#stream.end(part);
  }

  #drained(stream: Writable): Promise<void> {
    const { response } = this;
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => () => {
        stream.off('drain', onDrain);
        response.off('close', onClose);
        settle();
      };
      const onDrain = end(() => {
        this.#room = undefined;
        resolve();
      });
      const onClose = end(() => reject(disconnected()));
      stream.once('drain', onDrain);
      response.once('close', onClose);
    });
  }
}

/** Text of a response: small ones are collected, large ones written in parts. */
export class ResponseText {
  /** What is collected until the text is large. */
  #pieces: string[] = [];
  #length = 0;
  readonly #chunks: Chunks;

  constructor(private readonly body: BodyParts) {
    this.#chunks = new Chunks(body);
  }

  /** @throws AppError as {@link ResponseBody.write} */
  readonly write = (...texts: readonly string[]): Promise<void> | undefined => {
    let accepted: Promise<void> | undefined;
    for (const text of texts) accepted = this.#write(text) ?? accepted;
    return accepted;
  };

  /** Writes the rest. @returns the text instead, if nothing was written yet */
  end(): string | undefined {
    if (!this.body.isStarted) return this.#pieces.join('');
    this.body.end(this.#chunks.take());
    return undefined;
  }

  #write(text: string): Promise<void> | undefined {
    if (this.body.isStarted) return this.#chunks.write(text);
    this.#pieces.push(text);
    this.#length += text.length;
    return this.#length < CHUNK_LENGTH ? undefined : this.body.write(this.#pieces.splice(0).join(''));
  }
}

/** Encodes pieces of text into chunks: that takes less time than to join them and to encode the result. */
class Chunks {
  #bytes: Buffer | undefined;
  #used = 0;

  constructor(private readonly body: BodyParts) {}

  /** A piece that is larger than a chunk is sent alone. */
  write(text: string): Promise<void> | undefined {
    const left = CHUNK_LENGTH - this.#used;
    // A character takes at most three bytes, most take one.
    const length = 3 * text.length <= left ? 0 : Buffer.byteLength(text);
    const accepted = length > left && this.#used > 0 ? this.body.write(this.take()) : undefined;
    if (length > CHUNK_LENGTH) return this.body.write(text) ?? accepted;
    this.#bytes ??= Buffer.allocUnsafeSlow(CHUNK_LENGTH);
    this.#used += this.#bytes.write(text, this.#used);
    return accepted;
  }

  /** What was written since the last chunk. */
  take(): Buffer {
    const taken = this.#bytes?.subarray(0, this.#used) ?? Buffer.alloc(0);
    this.#bytes = undefined;
    this.#used = 0;
    return taken;
  }
}

function disconnected() {
  return unavailable('the client has disconnected');
}
