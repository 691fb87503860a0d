import { AppError } from '@assay/errors';

/** Maximum size of a body after decompression, in bytes. */
export const MAX_BODY_BYTES = 52_428_800;

export function bodyTooLarge(maxBytes: number): AppError {
  const limit = maxBytes % 1_048_576 === 0 ? `${maxBytes / 1_048_576} MB` : `${maxBytes} bytes`;
  return new AppError('PAYLOAD_TOO_LARGE', `body must not exceed ${limit} after decompression`);
}
