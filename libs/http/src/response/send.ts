import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WireResponse } from './response.js';

/** Up to this size, the rest of a rejected body is discarded, and the connection stays open. */
const MAX_DISCARDED_BYTES = 65_536;
/** Time spent reading the rest of a rejected body, so that the client sees the response instead of a connection reset. */
const DRAIN_MS = 5000;

/**
 * Sends the response. Closes the connection when a large part of the request body is still to come.
 * @param more headers besides those of the response, which replace them
 */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  content: WireResponse,
  more?: WireResponse['headers'],
): void {
  if (response.headersSent || response.destroyed) return;
  const headers = contentHeaders(content);
  Object.assign(headers, more, content.headers);
  const closes = hasLargeUnreadBody(request);
  if (closes) headers.Connection = 'close';
  response.writeHead(content.status, headers);
  if (closes) return sendAndDrain(request, response, content.body);
  // With an empty body the socket would get two parts, the head and the body.
  if (content.body.length === 0) response.end();
  else response.end(content.body);
  // Node does this for a body of which nothing was read.
  if (!request.complete) request.resume();
}

/** Responses 204 and 304 have no content. They have no `Content-Length` (RFC 9110, 8.6). */
function contentHeaders({ status, contentType, body }: WireResponse): Record<string, string | number> {
  return status === 204 || status === 304
    ? {}
    : { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) };
}

function hasLargeUnreadBody(request: IncomingMessage): boolean {
  if (request.complete) return false;
  if (request.headers.expect !== undefined) return true;
  return (
    request.headers['transfer-encoding'] !== undefined ||
    Number(request.headers['content-length'] ?? 0) > MAX_DISCARDED_BYTES
  );
}

/**
 * Sends the response, half-closes the connection and reads the remaining body for a few seconds. Closing the socket
 * immediately would make the system reset the connection, and a client that is still sending would never see the response.
 */
function sendAndDrain(request: IncomingMessage, response: ServerResponse, body: Buffer | string): void {
  const { socket } = request;
  response.write(body, () => socket.end());
  const close = () => {
    clearTimeout(timer);
    socket.destroy();
  };
  const timer = setTimeout(close, DRAIN_MS).unref();
  request.once('end', close).once('close', close).on('error', close).resume();
}
