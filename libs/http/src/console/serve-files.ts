import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, notFound } from '@assay/errors';
import { requestIdOf } from '../request/request-context.js';
import { wantsHtml } from '../request/wants-html.js';
import { acceptsCoding, acceptsGzip } from '../response/compression.js';
import { namesTag } from '../response/entity-tag.js';
import { errorResponse } from '../response/error-response.js';
import type { WireResponse } from '../response/response.js';
import { send } from '../response/send.js';
import { tooManyUnfinished, UnfinishedResponses } from '../response/unfinished-responses.js';
import { INDEX, type ConsoleFile, type ConsoleFiles } from './console-files.js';
import { CONSOLE_HEADERS } from './console-headers.js';

/** Responses with files that may be unfinished at a time. Anybody may ask for these, without a key. */
const MAX_UNFINISHED = 500;
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Responds to a request for a path below `/console/`. */
export type ServeFiles = (request: IncomingMessage, response: ServerResponse, path: string) => void;

/** A page of the application has an address of its own: a browser that opens one gets `index.html`. */
export function makeServeFiles(files: ConsoleFiles): ServeFiles {
  const unfinished = new UnfinishedResponses(MAX_UNFINISHED);
  return function serveFiles(request, response, path) {
    const requestId = requestIdOf(request.headers);
    const content = unfinished.begin(response)
      ? contentOf(files, request, path)
      : tooManyUnfinished(requestId);
    send(request, response, content, { 'X-Request-Id': requestId, ...CONSOLE_HEADERS });
  };
}

function contentOf(files: ConsoleFiles, request: IncomingMessage, path: string): WireResponse {
  const found = files.get(path);
  const file = found ?? (wantsHtml(request.headers) ? files.get(INDEX) : undefined);
  const failure = { requestId: requestIdOf(request.headers) };
  if (file === undefined) return errorResponse(notFound('there is no such file'), failure);
  if (request.method === 'GET' || request.method === 'HEAD')
    return fileResponse(file, request, found === undefined);
  const headers = { Allow: 'GET, HEAD' };
  return {
    ...errorResponse(new AppError('METHOD_NOT_ALLOWED', `this path takes ${headers.Allow}`), failure),
    headers,
  };
}

/** @param isFallback whether the response depends on what the client accepts */
function fileResponse(file: ConsoleFile, request: IncomingMessage, isFallback: boolean): WireResponse {
  const { contentType, tag, isHashed } = file;
  const { body, coding } = bestForm(file, request);
  const headers = {
    // A compressed form is another representation.
    ETag: coding === undefined ? tag : `W/${tag}`,
    'Cache-Control': isHashed ? IMMUTABLE : 'no-cache',
    Vary: isFallback ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
    ...(coding !== undefined && { 'Content-Encoding': coding }),
  };
  if (namesTag(request.headers['if-none-match'], tag)) return { status: 304, contentType, body: '', headers };
  return { status: 200, contentType, body, headers };
}

function bestForm({ br, gzip, plain }: ConsoleFile, request: IncomingMessage) {
  if (br !== undefined && acceptsCoding(request, ['br'])) return { body: br, coding: 'br' };
  if (gzip !== undefined && acceptsGzip(request)) return { body: gzip, coding: 'gzip' };
  return { body: plain, coding: undefined };
}
