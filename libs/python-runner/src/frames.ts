import { Buffer } from 'node:buffer';

/** How a call ended: see `serve.py`, which sends the first letters. */
export type ResponseKind = 'ready' | 'refused' | 'ended' | 'timeout' | 'busy' | 'stalled' | 'output' | 'lost';

/** One response of the fork server. */
export interface Frame {
  readonly kind: ResponseKind;
  readonly durationMs: number;
  /** Wait status of the process that evaluated; 0 when its outcome is complete. */
  readonly status: number;
  readonly outcome: Buffer;
  readonly output: Buffer;
}

const KINDS: Readonly<Record<string, ResponseKind>> = {
  H: 'ready',
  R: 'refused',
  E: 'ended',
  T: 'timeout',
  B: 'busy',
  W: 'stalled',
  O: 'output',
  P: 'lost',
};
/** `run_time.py` has the same. */
const LAST_RESORT = 20;
const HEADER_BYTES = 17;
const MAX_OUTCOME_BYTES = 1 << 20;
const MAX_OUTPUT_BYTES = 64 << 10;

/** Returns the header of a request, which its job follows. */
export function requestHeader(timeoutMs: number, jobBytes: number): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(timeoutMs, 0);
  header.writeUInt32LE(jobBytes, 4);
  return header;
}

/** Returns the wall time that ends a call whose run time has not reached its limit. */
export function lastResortMs(timeoutMs: number): number {
  return LAST_RESORT * timeoutMs;
}

/** Cuts the output of the fork server into frames. Holds at most one frame beyond what was just added. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #size = 0;

  /**
   * Returns the next frame when all its bytes have arrived.
   * @throws when the bytes are no frame
   */
  add(chunk: Buffer): Frame | undefined {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size < HEADER_BYTES) return undefined;
    const first = this.#chunks[0]!;
    const header = first.length < HEADER_BYTES ? Buffer.concat(this.#chunks) : first;
    const [outcomeBytes, outputBytes] = [header.readUInt32LE(9), header.readUInt32LE(13)];
    if (outcomeBytes > MAX_OUTCOME_BYTES || outputBytes > MAX_OUTPUT_BYTES)
      throw new Error('the response is too long');
    const end = HEADER_BYTES + outcomeBytes + outputBytes;
    if (this.#size < end) return undefined;
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = end < this.#size ? [bytes.subarray(end)] : [];
    this.#size -= end;
    return frameFrom(bytes, outcomeBytes, end);
  }
}

function frameFrom(bytes: Buffer, outcomeBytes: number, end: number): Frame {
  const kind = KINDS[String.fromCharCode(bytes[0]!)];
  if (kind === undefined) throw new Error('the response is of an unknown kind');
  return {
    kind,
    durationMs: bytes.readUInt32LE(1) / 1000,
    status: bytes.readInt32LE(5),
    outcome: bytes.subarray(HEADER_BYTES, HEADER_BYTES + outcomeBytes),
    output: bytes.subarray(HEADER_BYTES + outcomeBytes, end),
  };
}
