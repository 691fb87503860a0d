import type { ServerResponse } from 'node:http';
import type { FairSlots } from '@assay/runtime';
import type { ScheduledTask } from '../scheduling/scheduled-task.js';
import { ByteContent } from './byte-content.js';
import { compressWhole, gzipHeaders, gzipInto, isCompressible, varyingBy } from './compression.js';
import { hasLongList, JsonStream, LineStream } from './json-stream.js';
import { KeptParts, ResponseBody, ResponseText } from './response-body.js';
import { JSON_TYPE, LINES_TYPE, type UnencodedResponse, type WireResponse } from './response.js';
import type { UnsentResponses } from './unsent-responses.js';
import { writeBytes } from './write-bytes.js';
import { writeJson, writeLines } from './write-json.js';

export interface EncodingOptions {
  /** Whose share of the event loop the encoding uses. */
  readonly task: ScheduledTask;
  /** Bounds the responses that are read while they are sent. */
  readonly streams: FairSlots;
  /** Bounds the responses that are in memory until they are sent. */
  readonly unsent: UnsentResponses;
  /** The project, for {@link streams} and {@link unsent}. */
  readonly account: string;
  /** Whether the client accepts gzip. */
  readonly acceptsGzip: boolean;
  /** Returns a signal that aborts when the client disconnects. */
  readonly signal: () => AbortSignal;
}

/**
 * Encodes a response. Its cost is charged to the project.
 * @returns the encoded response, or undefined when it is large and was sent
 * @throws AppError `OVERLOADED` when too many streamed responses of the project wait, or its clients have not taken too many bytes,
 * `UNAVAILABLE` when the client has disconnected, and what reading a page throws
 */
export async function encodeResponse(
  unencoded: UnencodedResponse,
  response: ServerResponse,
  options: EncodingOptions,
): Promise<WireResponse | undefined> {
  const { json } = unencoded;
  if (json instanceof ByteContent) return encodeBytes(json, unencoded, response, options);
  const text = await encodeText(unencoded, response, options);
  if (text === undefined) return undefined;
  const { status, headers = {} } = unencoded;
  const whole = { status, contentType: typeOf(json), body: text, headers };
  return compressWhole(whole, options.acceptsGzip, response);
}

/** @returns the text, or undefined when it was sent already */
async function encodeText(
  { status, json, headers = {} }: UnencodedResponse,
  response: ServerResponse,
  options: EncodingOptions,
): Promise<string | undefined> {
  if (!(json instanceof JsonStream || json instanceof LineStream) && !hasLongList(json)) {
    const startedAt = performance.now();
    const body = json === undefined ? '' : JSON.stringify(json);
    options.task.charge(performance.now() - startedAt);
    return body;
  }
  const head = { status, headers: { 'Content-Type': typeOf(json), ...headers } };
  try {
    return json instanceof LineStream || (json instanceof JsonStream && json.isRead)
      ? await sendWhileRead(json, head, response, options)
      : await encodeKept(
          json instanceof JsonStream ? (json.content as object) : json,
          head,
          response,
          options,
        );
  } finally {
    if (json instanceof JsonStream) json.release?.();
  }
}

/** Sends content that is read page by page. @returns the text instead, when it is small */
async function sendWhileRead(
  json: JsonStream<unknown> | LineStream,
  head: Head,
  response: ServerResponse,
  options: EncodingOptions,
): Promise<string | undefined> {
  const { task, streams, account, signal } = options;
  const text = new ResponseText(new ResponseBody(response, opener(response, head, options)));
  const target = { write: text.write, task };
  if (json instanceof LineStream) await streams.run(account, () => writeLines(json.pages, target), signal());
  else if (json.isPaged) await streams.run(account, () => writeJson(json.content, target), signal());
  else await writeJson(json.content, target);
  return text.end();
}

/**
 * Encodes content that is in memory before any of it is sent, so that a slow client holds bytes that are counted for its project, and not
 * content of unknown size.
 * @returns the text instead, when it is small
 */
async function encodeKept(
  content: object,
  head: Head,
  response: ServerResponse,
  options: EncodingOptions,
): Promise<string | undefined> {
  const { task, unsent, account } = options;
  const kept = new KeptParts(response);
  const text = new ResponseText(kept);
  await writeJson(content, { write: text.write, task });
  const small = text.end();
  if (small !== undefined) return small;
  unsent.hold(account, kept.length, response);
  const stream = opener(response, head, { ...options, length: kept.length })();
  for (const part of kept.parts) stream.write(part);
  stream.end();
  return undefined;
}

/** Bytes have their length unless they are compressed. They are read only as fast as the client takes them. */
async function encodeBytes(
  content: ByteContent,
  { status, headers = {} }: UnencodedResponse,
  response: ServerResponse,
  options: EncodingOptions,
): Promise<undefined> {
  const head = { status, headers: { 'Content-Type': content.contentType, ...headers } };
  const body = new ResponseBody(response, opener(response, head, { ...options, length: content.length }));
  await options.streams.run(options.account, () => writeBytes(content, body), options.signal());
}

interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns a function that sends the head, and returns the stream that the body is written to. */
function opener(
  response: ServerResponse,
  { status, headers }: Head,
  { acceptsGzip, length }: Pick<EncodingOptions, 'acceptsGzip'> & { readonly length?: number },
) {
  return () => {
    const compressible = isCompressible(headers['Content-Type'] ?? '', headers);
    if (compressible && acceptsGzip) {
      response.writeHead(status, gzipHeaders(headers, response));
      return gzipInto(response);
    }
    response.writeHead(status, {
      ...headers,
      ...(compressible && varyingBy(response)),
      ...(length !== undefined && { 'Content-Length': length }),
    });
    return response;
  };
}

function typeOf(json: unknown): string {
  return json instanceof LineStream ? LINES_TYPE : JSON_TYPE;
}
