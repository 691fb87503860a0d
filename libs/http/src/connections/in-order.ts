import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { declaredLength } from '../body/read-body.js';

type Parse = (chunk: Buffer) => void;

const HEAD_END = '\r\n\r\n';
const MAX_TAIL = HEAD_END.length - 1;
/** Bytes behind a head that are searched for another one before the head is parsed: for a small body this costs less than parsing twice. */
const MAX_SEARCHED_BYTES = 8_192;

/**
 * Lets a connection have one pending request: what a client has sent behind a whole request is parsed once the client has taken the response.
 * Until then the bytes stay where they are, and no more are read than fit into the buffer of the socket. The parser of Node cannot
 * stop within what it was given, and 64 KB are thousands of requests, so it is given the bytes of one request at a time: a head ends at an
 * empty line, a body after its declared length or, in chunks, at an empty line too.
 * @param socket that has just been handed to a server of `node:http`
 * @param latest returns the response to the latest request of the connection
 */
export function serveInOrder(socket: Socket, latest: () => ServerResponse | undefined): void {
  const [listener] = socket.listeners('data');
  if (listener === undefined) return;
  const parse = listener as Parse;
  socket.off('data', parse);
  const messages = new MessageParts(parse, latest);
  let awaited: ServerResponse | undefined;
  const hold = (rest: Buffer) => {
    socket.pause();
    socket.unshift(rest);
    const response = latest();
    if (response === undefined || response === awaited) return;
    awaited = response;
    response.once('close', () => socket.resume());
  };
  socket.on('data', (chunk: Buffer) => {
    for (let rest = chunk; rest.length > 0;) {
      // The rest of a connection that is being closed, for example after a syntax error, is of no interest.
      if (!socket.writable) return;
      if (isPending(latest())) return hold(rest);
      rest = messages.parseNext(rest);
      // The body is received faster than it is read.
      if (socket.isPaused() && rest.length > 0) return void socket.unshift(rest);
    }
  });
}

/** Whether a request is complete and its response is not. */
function isPending(response: ServerResponse | undefined): boolean {
  return response !== undefined && response.req.complete && !response.writableFinished && !response.destroyed;
}

/** Parses the bytes of a connection, never more than one head at a time. */
class MessageParts {
  /** Bytes of the present body that are still to come; 0 within a head, and within a body in chunks. */
  #bodyLeft = 0;
  /** The last bytes of an unfinished head. */
  #tail = '';

  constructor(
    private readonly parse: Parse,
    private readonly latest: () => ServerResponse | undefined,
  ) {}

  /** Parses a first part of the bytes. Returns the rest. */
  parseNext(bytes: Buffer): Buffer {
    if (this.#bodyLeft > 0) {
      const length = Math.min(this.#bodyLeft, bytes.length);
      this.#bodyLeft -= length;
      this.parse(bytes.subarray(0, length));
      return bytes.subarray(length);
    }
    const end = this.#headEnd(bytes);
    if (end === undefined) {
      this.#tail = (this.#tail + lastOf(bytes)).slice(-MAX_TAIL);
      this.parse(bytes);
      return bytes.subarray(bytes.length);
    }
    this.#tail = '';
    const behind = bytes.length - end;
    // An offset below 0 would count from the end.
    const next = Math.max(0, end - HEAD_END.length + 1);
    const isLast = behind <= MAX_SEARCHED_BYTES && !bytes.includes(HEAD_END, next);
    const before = this.latest();
    const parsed = isLast ? bytes.length : end;
    this.parse(bytes.subarray(0, parsed));
    const response = this.latest();
    const declared = response === undefined || response === before ? 0 : declaredLength(response.req);
    const left = declared - (parsed - end);
    this.#bodyLeft = Math.max(0, left);
    // Behind the body, or in one that is sent in chunks.
    if (left < 0) this.#tail = lastOf(bytes.subarray(left));
    return bytes.subarray(parsed);
  }

  /** Returns where the first empty line ends, which may have begun in earlier bytes. */
  #headEnd(bytes: Buffer): number | undefined {
    if (this.#tail !== '') {
      const joined = this.#tail + bytes.toString('latin1', 0, MAX_TAIL);
      const found = joined.indexOf(HEAD_END);
      if (found >= 0) return found + HEAD_END.length - this.#tail.length;
    }
    const start = bytes.indexOf(HEAD_END);
    return start < 0 ? undefined : start + HEAD_END.length;
  }
}

function lastOf(bytes: Buffer): string {
  return bytes.toString('latin1', Math.max(0, bytes.length - MAX_TAIL));
}
