import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WireResponse } from './response.js';

/** An unread body up to this size is left to Node, which reads it away; the connection stays. */
const DISCARDED_BYTES = 65_536;
/** How long an early refusal goes on reading, so that the client gets to read the answer instead of a reset. */
const DRAIN_MS = 1000;

/** Sends the answer. When much of the request is still on its way, the connection ends with it. */
export function send(request: IncomingMessage, response: ServerResponse, answer: WireResponse): void {
  if (response.headersSent || response.destroyed) return;
  const leaves = hasMuchToCome(request);
  response.writeHead(answer.status, {
    ...contentHeaders(answer),
    ...answer.headers,
    ...(leaves ? { Connection: 'close' } : {}),
  });
  if (leaves) refuseEarly(request, response, answer.body);
  else response.end(answer.body);
}

/** An answer of 204 has no content and must not say how long it is (RFC 9110, 8.6). */
function contentHeaders({ status, contentType, body }: WireResponse): Record<string, string | number> {
  return status === 204 ? {} : { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) };
}

function hasMuchToCome(request: IncomingMessage): boolean {
  if (request.complete) return false;
  if (request.headers.expect !== undefined) return true;
  return (
    request.headers['transfer-encoding'] !== undefined ||
    Number(request.headers['content-length'] ?? 0) > DISCARDED_BYTES
  );
}

/**
 * Answers, closes our half of the connection and reads what still comes for up to a second. Closing at once would make the
 * system reset the connection, and a client that is busy sending would never see the answer.
 */
function refuseEarly(request: IncomingMessage, response: ServerResponse, body: Buffer | string): void {
  const { socket } = request;
  response.write(body, () => socket.end());
  const close = () => {
    clearTimeout(timer);
    socket.destroy();
  };
  const timer = setTimeout(close, DRAIN_MS).unref();
  request.once('end', close).once('close', close).on('error', close).resume();
}
