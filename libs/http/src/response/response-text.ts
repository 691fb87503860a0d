import type { ServerResponse } from 'node:http';
import { unavailable } from '@assay/errors';

/** Text up to this many characters is sent whole, with its length. A longer one is sent in chunks of this size. */
const CHUNK_LENGTH = 256 * 1024;
/** How long a client may read nothing of a response that waits for it. */
const STALLED_MS = 30_000;

/** Text of a response: small ones are collected, large ones sent as the client reads them. */
export class ResponseText {
  #pieces: string[] = [];
  #length = 0;

  /** @param writeHead sends the status and the headers, before the first chunk */
  constructor(
    private readonly response: ServerResponse,
    private readonly writeHead: () => void,
    private readonly stalledMs = STALLED_MS,
  ) {}

  /** @throws AppError `UNAVAILABLE` when the client has disconnected or reads nothing for 30 s */
  readonly write = (text: string): Promise<void> | undefined => {
    this.#pieces.push(text);
    this.#length += text.length;
    return this.#length < CHUNK_LENGTH ? undefined : this.#flush();
  };

  /** Sends the rest. @returns the text instead, if nothing was sent yet */
  end(): string | undefined {
    const rest = this.#take();
    if (!this.response.headersSent) return rest;
    this.response.end(rest);
    return undefined;
  }

  #flush(): Promise<void> | undefined {
    if (this.response.destroyed) return Promise.reject(disconnected());
    if (!this.response.headersSent) this.writeHead();
    return this.response.write(this.#take()) ? undefined : this.#drained();
  }

  #take(): string {
    const text = this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    return text;
  }

  #drained(): Promise<void> {
    const { response, stalledMs } = this;
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => () => {
        clearTimeout(timer);
        response.off('drain', onDrain).off('close', onClose);
        settle();
      };
      const onDrain = end(resolve);
      const onClose = end(() => reject(disconnected()));
      const timer = setTimeout(onClose, stalledMs).unref();
      response.once('drain', onDrain).once('close', onClose);
    });
  }
}

function disconnected() {
  return unavailable('the client has disconnected');
}
