import type { IncomingMessage } from 'node:http';
import { AppError, validationError } from '@assay/errors';

/**
 * The JSON body of a request.
 * @throws AppError `PAYLOAD_TOO_LARGE` over `maxBytes`, `VALIDATION_ERROR` when it is no JSON
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new AppError('PAYLOAD_TOO_LARGE', `body must not be larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch (cause) {
    throw validationError('body must be JSON', { cause });
  }
}
