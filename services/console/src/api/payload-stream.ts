import { OfflineError, send } from './call.js';

/** Objects of an event that have a route of their own. */
export type PayloadField =
  | 'inputs'
  | 'outputs'
  | 'config'
  | 'metadata'
  | 'metrics'
  | 'feedback'
  | 'user_properties';

export interface PayloadAddress {
  readonly project: string;
  readonly eventId: string;
  readonly field: PayloadField;
}

/** A broken transfer is continued this often before it fails. */
const MAX_CONTINUATIONS = 3;

/**
 * Reads one object of an event with one streamed request. Only a transfer that breaks off is continued, from the byte that it has
 * reached, unless the event has changed since: then it starts again.
 * @throws ApiError, OfflineError
 */
export async function readPayload(address: PayloadAddress, signal?: AbortSignal): Promise<Uint8Array> {
  const received = new ReceivedBytes();
  let tag: string | undefined;
  for (let attempt = 0; ; attempt++) {
    const response = await request(address, { from: received.length, tag, signal });
    if (response.status !== 206) received.clear();
    tag = strongTag(response);
    if (await received.add(response, signal)) return received.join();
    if (attempt === MAX_CONTINUATIONS) throw new OfflineError();
    if (tag === undefined) received.clear();
  }
}

interface Continuation {
  readonly from: number;
  readonly tag: string | undefined;
  readonly signal: AbortSignal | undefined;
}

function request({ project, eventId, field }: PayloadAddress, { from, tag, signal }: Continuation) {
  const isContinued = from > 0 && tag !== undefined;
  const headers = isContinued ? { Range: `bytes=${String(from)}-`, 'If-Range': tag } : undefined;
  const path = `/v1/events/${encodeURIComponent(eventId)}/payload/${field}`;
  return send({ method: 'GET', path, project, headers, signal });
}

/** `If-Range` compares strong tags only. A compressed response has a weak one for the same bytes. */
function strongTag(response: Response): string | undefined {
  return response.headers.get('ETag')?.replace(/^W\//, '') ?? undefined;
}

class ReceivedBytes {
  private chunks: Uint8Array[] = [];
  length = 0;

  clear(): void {
    this.chunks = [];
    this.length = 0;
  }

  /** Returns whether the body has ended as it should. */
  async add(response: Response, signal: AbortSignal | undefined): Promise<boolean> {
    const reader = response.body?.getReader();
    if (reader === undefined) return true;
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        this.chunks.push(part.value);
        this.length += part.value.length;
      }
      return true;
    } catch (error) {
      if (signal?.aborted === true) throw error;
      return false;
    }
  }

  join(): Uint8Array {
    const bytes = new Uint8Array(this.length);
    let at = 0;
    for (const chunk of this.chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  }
}
