import { MAX_EVENT_BYTES } from '@assay/domain';
import { AppError, validationError } from '@assay/errors';

/** Spans of one request. More than this cannot be stored as one batch. */
export const MAX_SPANS = 100_000;
/** Nesting of arrays and lists of keys inside one attribute value. */
export const MAX_DEPTH = 64;
/** Bytes that the attributes of resources and scopes may take once they are repeated on every span, per request. */
export const MAX_SHARED_BYTES = 256 * 1024 * 1024;

/** One span on the wire: what it becomes must fit the largest event. */
export const MAX_SPAN_BYTES = MAX_EVENT_BYTES;

export function tooManySpans(): AppError {
  return validationError(`a request may carry at most ${MAX_SPANS.toLocaleString('en-US')} spans`);
}

export function tooMuchShared(): AppError {
  return new AppError(
    'PAYLOAD_TOO_LARGE',
    'resource and scope attributes repeated on every span exceed 256 MiB: send fewer spans per request',
  );
}
