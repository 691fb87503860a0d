import type { ServerResponse } from 'node:http';
import type { FairSlots } from '@assay/runtime';
import type { ScheduledTask } from '../scheduling/scheduled-task.js';
import { hasLongList, JsonStream } from './json-stream.js';
import { ResponseText } from './response-text.js';
import { JSON_TYPE, type UnencodedResponse, type WireResponse } from './response.js';
import { writeJson } from './write-json.js';

export interface EncodingOptions {
  /** Whose share of the event loop the encoding uses. */
  readonly task: ScheduledTask;
  /** Bounds the responses that are read while they are sent. */
  readonly streams: FairSlots;
  /** The project, for {@link streams}. */
  readonly account: string;
  /** Returns a signal that aborts when the client disconnects. */
  readonly signal: () => AbortSignal;
}

/**
 * Encodes a JSON response. Its cost is charged to the project.
 * @returns the encoded response, or undefined when it is large and was sent while it was encoded
 * @throws AppError `OVERLOADED` when too many streamed responses of the project wait, `UNAVAILABLE` when the client has
 * disconnected, and what reading a page throws
 */
export async function encodeResponse(
  { status, json, headers = {} }: UnencodedResponse,
  response: ServerResponse,
  { task, streams, account, signal }: EncodingOptions,
): Promise<WireResponse | undefined> {
  const whole = (body: string) => ({ status, contentType: JSON_TYPE, body, headers });
  if (!(json instanceof JsonStream) && !hasLongList(json)) {
    const startedAt = performance.now();
    const body = json === undefined ? '' : JSON.stringify(json);
    task.charge(performance.now() - startedAt);
    return whole(body);
  }
  const writeHead = () => void response.writeHead(status, { 'Content-Type': JSON_TYPE, ...headers });
  const text = new ResponseText(response, writeHead);
  const write = () =>
    writeJson(json instanceof JsonStream ? json.content : json, { write: text.write, task });
  if (json instanceof JsonStream && json.isPaged) await streams.run(account, write, signal());
  else await write();
  const rest = text.end();
  return rest === undefined ? undefined : whole(rest);
}
