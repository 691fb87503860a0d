import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import type { WireResponse } from './response.js';

/** Bodies below this many bytes are sent as they are: compressing them costs more than it saves. */
export const MIN_COMPRESSED_BYTES = 4_096;

/** The fastest level: JSON of events shrinks to about a sixth, and a higher level costs twice the time. */
const GZIP = { level: constants.Z_BEST_SPEED, chunkSize: 64 * 1024 };
const COMPRESSIBLE = /^(?:application\/(?:json|x-ndjson)|text\/)/;

const gzipWhole = promisify(gzip);

/** Returns whether the client accepts gzip (RFC 9110, 12.5.3). A client that names no coding gets none. */
export function acceptsGzip(request: Pick<IncomingMessage, 'headers'>): boolean {
  return acceptsCoding(request, ['gzip', 'x-gzip']);
}

/** Returns whether the client accepts a content coding of one of these names. The first that it mentions counts. */
export function acceptsCoding(
  { headers }: Pick<IncomingMessage, 'headers'>,
  names: readonly string[],
): boolean {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return false;
  const codings = String(accepted)
    .toLowerCase()
    .split(',')
    .map((coding) => coding.split(';').map((part) => part.trim()));
  const quality = (name: string): number | undefined => {
    const found = codings.find(([coding]) => coding === name);
    return found && Number(/^q=([\d.]+)$/.exec(found[1] ?? 'q=1')?.[1] ?? 0);
  };
  const mentioned = [...names, '*'].map(quality).find((one) => one !== undefined);
  return (mentioned ?? 0) > 0;
}

/** Returns whether a body with these headers may be compressed: its type is text, and it is not encoded already. */
export function isCompressible(contentType: string, headers: WireResponse['headers'] = {}): boolean {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return (
    COMPRESSIBLE.test(contentType) && !names.includes('content-encoding') && !names.includes('content-range')
  );
}

/** Compresses a body that is large enough, outside the event loop. */
export async function compressWhole(
  content: WireResponse,
  accepted: boolean,
  response: ServerResponse,
): Promise<WireResponse> {
  const { body, contentType, headers = {} } = content;
  if (Buffer.byteLength(body) < MIN_COMPRESSED_BYTES || !isCompressible(contentType, headers)) return content;
  if (!accepted) return { ...content, headers: { ...headers, ...varyingBy(response) } };
  return { ...content, body: await gzipWhole(body, GZIP), headers: gzipHeaders(headers, response) };
}

/** Compresses a document that is sent many times. */
export function gzipDocument(body: Buffer): Promise<Buffer> {
  return gzipWhole(body, GZIP);
}

/** Headers of a body that is compressed for clients that accept it. A compressed body is another representation. */
export function gzipHeaders(
  headers: Readonly<Record<string, string>>,
  response: ServerResponse,
): Record<string, string> {
  const { ETag: tag, ...rest } = headers;
  const weak: Record<string, string> =
    tag === undefined ? {} : { ETag: tag.startsWith('W/') ? tag : `W/${tag}` };
  return { ...rest, ...weak, ...varyingBy(response), 'Content-Encoding': 'gzip' };
}

/** The header for caches: with another `Accept-Encoding` the response may be another one. */
export function varyingBy(response: ServerResponse): { Vary: string } {
  const known = response.getHeader('Vary');
  return { Vary: known === undefined ? 'Accept-Encoding' : `${String(known)}, Accept-Encoding` };
}

/** Returns a stream that compresses what is written to it and sends it. It ends with the connection. */
export function gzipInto(response: ServerResponse): Writable {
  const stream = createGzip(GZIP);
  response.once('close', () => stream.destroy());
  stream.once('error', () => response.destroy());
  stream.pipe(response);
  return stream;
}
