import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { toErrorBody } from '@assay/contracts';
import { AppError } from '@assay/errors';
import { JSON_TYPE } from '../response/response.js';

const TOO_SLOW = 'the request took too long to arrive';

/**
 * Responds to a request that Node's HTTP parser rejected, in JSON like every other error.
 * @param isResponding whether a part of the response is already sent; then the socket is closed without an error body
 */
export function respondToClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  isResponding: boolean,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isResponding) {
    socket.destroy();
    return;
  }
  sendError(socket, toAppError(error));
}

/** Responds with 408 to a request whose body arrives too slowly. @param isResponding as for {@link respondToClientError} */
export function respondToSlowRequest(socket: Duplex, isResponding: boolean): void {
  if (!socket.writable || isResponding) socket.destroy();
  else sendError(socket, new AppError('REQUEST_TIMEOUT', TOO_SLOW));
}

function sendError(socket: Duplex, failure: AppError): void {
  // The headers, and with them the id of the client, are not known.
  const requestId = randomUUID();
  const body = JSON.stringify(toErrorBody(failure, requestId));
  const head = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
    'Connection: close',
    `X-Request-Id: ${requestId}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

function toAppError(error: NodeJS.ErrnoException): AppError {
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return new AppError('HEADERS_TOO_LARGE', 'the headers are too large', { cause: error });
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AppError('REQUEST_TIMEOUT', TOO_SLOW, { cause: error });
  return new AppError('VALIDATION_ERROR', 'the request is not valid HTTP', { cause: error });
}
