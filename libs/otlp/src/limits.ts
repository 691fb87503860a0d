import { MAX_EVENT_BYTES } from '@assay/domain';
import { AppError, validationError } from '@assay/errors';

/** Maximum number of spans per request, which are stored as one batch. */
export const MAX_SPANS = 100_000;
/** Maximum nesting of arrays and key-value lists in one attribute value. */
export const MAX_DEPTH = 64;
/** Maximum bytes of resource and scope attributes per request, counted once per span that repeats them. */
export const MAX_SHARED_BYTES = 256 * 1024 * 1024;

/** A byte of a request becomes at most so many bytes of the JSON of an event: an escape of a control character. */
const MAX_GROWTH = 6;

/** Returns whether an event of the request may be larger than the limit, 10 MB by default. */
export function mayExceedEvent(body: Buffer, maxEventBytes = MAX_EVENT_BYTES): boolean {
  return body.length * MAX_GROWTH > maxEventBytes;
}

export function tooManySpans(): AppError {
  return validationError(`a request may carry at most ${MAX_SPANS.toLocaleString('en-US')} spans`);
}

export function tooMuchShared(): AppError {
  return new AppError(
    'PAYLOAD_TOO_LARGE',
    'resource and scope attributes repeated on every span exceed 256 MiB: send fewer spans per request',
  );
}
