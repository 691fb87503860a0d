import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  acceptsGzip,
  compressWhole,
  gzipDocument,
  gzipHeaders,
  MIN_COMPRESSED_BYTES,
} from './compression.js';
import type { WireResponse } from './response.js';
import { tooManyUnfinished, UnfinishedResponses } from './unfinished-responses.js';

/** Responses with documents that may be unfinished at a time, of one server. Anybody may ask for these, without a key. */
const MAX_UNFINISHED = 100;

/** Responds with a document that does not change and needs no key. */
export type DocumentResponse = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
) => Promise<WireResponse>;

/**
 * Returns a function that makes the responses with public documents. All responses share the bytes of a document, which is compressed at most once. Beyond
 * the maximum of responses that their clients have not taken, the response is 503.
 */
export function makeDocuments(): (document: WireResponse) => DocumentResponse {
  const unfinished = new UnfinishedResponses(MAX_UNFINISHED);
  return (document) => {
    const plain = { ...document, body: Buffer.from(document.body) };
    let compressed: Promise<Buffer> | undefined;
    return async (request, response, requestId) => {
      if (!unfinished.begin(response)) return tooManyUnfinished(requestId);
      const isLarge = plain.body.length >= MIN_COMPRESSED_BYTES;
      if (!isLarge || !acceptsGzip(request)) return compressWhole(plain, false, response);
      compressed ??= gzipDocument(plain.body);
      return { ...document, body: await compressed, headers: gzipHeaders(document.headers ?? {}, response) };
    };
  };
}
