import type { IncomingMessage } from 'node:http';
import { AppError } from '@assay/errors';

/**
 * Passes every chunk of the request's body to `onChunk` and resolves at the end of the body. When `onChunk` throws,
 * reading stops and the promise rejects with that error. The request is then paused, not destroyed, so that it can still
 * get a response.
 * @throws AppError `REQUEST_TIMEOUT` when the client disconnects before the end
 */
export function readChunks(request: IncomingMessage, onChunk: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void) => {
      request.off('data', onData).off('end', onEnd).off('close', onDisconnect).off('error', onDisconnect);
      outcome();
    };
    const onData = (chunk: Buffer) => {
      try {
        onChunk(chunk);
      } catch (error) {
        request.pause();
        settle(() => reject(error instanceof Error ? error : new Error('reading failed', { cause: error })));
      }
    };
    const onEnd = () => settle(resolve);
    const onDisconnect = (cause?: Error) =>
      settle(() =>
        reject(
          new AppError('REQUEST_TIMEOUT', 'the connection ended before the body was complete', { cause }),
        ),
      );
    request.on('data', onData).on('end', onEnd).on('close', onDisconnect).on('error', onDisconnect);
    if (request.destroyed) onDisconnect();
  });
}
