import type { IncomingMessage } from 'node:http';
import { AppError } from '@assay/errors';

/**
 * Hands every chunk of the request's body to `onChunk`. Resolves at the end of the body. When `onChunk` throws, reading
 * stops and that error is the outcome; the request is left paused, not destroyed, so that it can still be answered.
 * @throws AppError `REQUEST_TIMEOUT` when the client goes away before the end
 */
export function collect(request: IncomingMessage, onChunk: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void) => {
      request.off('data', data).off('end', end).off('close', gone).off('error', gone);
      outcome();
    };
    const data = (chunk: Buffer) => {
      try {
        onChunk(chunk);
      } catch (error) {
        request.pause();
        settle(() => reject(error instanceof Error ? error : new Error('reading failed', { cause: error })));
      }
    };
    const end = () => settle(resolve);
    const gone = (cause?: Error) =>
      settle(() =>
        reject(
          new AppError('REQUEST_TIMEOUT', 'the connection ended before the body was complete', { cause }),
        ),
      );
    request.on('data', data).on('end', end).on('close', gone).on('error', gone);
    if (request.destroyed) gone();
  });
}
