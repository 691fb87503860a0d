import { toErrorBody } from '@assay/contracts';
import { AppError } from '@assay/errors';
import { encodeStatus } from '@assay/otlp';
import { isProtobuf } from '../body/content-type.js';
import { JSON_TYPE, type WireResponse } from './response.js';

/** Converts a failure to an AppError. An unexpected failure becomes an internal error, whose text is never sent to a client. */
export function toAppError(error: unknown, encoding?: 'otlp'): AppError {
  if (error instanceof AppError) return encoding === 'otlp' ? forOtlp(error) : error;
  return encoding === 'otlp'
    ? retryLater(error)
    : new AppError('INTERNAL_ERROR', 'something went wrong on our side', { cause: error });
}

/** OTLP exporters drop data on 500 and 507, and retry on 503. */
function forOtlp(error: AppError): AppError {
  if (error.code === 'INTERNAL_ERROR') return retryLater(error);
  if (error.code === 'INSUFFICIENT_STORAGE')
    return new AppError('UNAVAILABLE', error.message, { cause: error });
  return error;
}

function retryLater(cause: unknown): AppError {
  return new AppError('UNAVAILABLE', 'something went wrong on our side, send the request again later', {
    cause,
  });
}

/** The request that an error responds to. */
export interface FailedExchange {
  /** Is in the body and in `X-Request-Id`. */
  readonly requestId: string;
  readonly encoding?: 'otlp' | undefined;
  /** `Content-Type` of an OTLP request. */
  readonly contentType?: string | undefined;
}

/** Encodes an error. On an OTLP route it has the encoding of the request (OTLP specification, "OTLP/HTTP Response"). */
export function errorResponse(
  error: AppError,
  { requestId, encoding, contentType }: FailedExchange,
): WireResponse {
  const { status } = error;
  const headers = { 'X-Request-Id': requestId, ...headersOf(error) };
  if (encoding === 'otlp') {
    const ofRequest = isProtobuf(contentType) ? 'protobuf' : 'json';
    return { status, headers, ...encodeStatus(error, requestId, ofRequest) };
  }
  return { status, headers, contentType: JSON_TYPE, body: JSON.stringify(toErrorBody(error, requestId)) };
}

function headersOf(error: AppError): Record<string, string> {
  if (error.status === 401) return { 'WWW-Authenticate': 'Bearer' };
  const { acceptEncoding } = error.details;
  if (acceptEncoding !== undefined) return { 'Accept-Encoding': String(acceptEncoding) };
  const seconds = retryAfterSeconds(error);
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
}

/**
 * Returns when the client may send the request again; undefined for a failure that another attempt does not change. It
 * is random, so that clients that were rejected together do not retry together.
 */
export function retryAfterSeconds({ status, details }: AppError): number | undefined {
  const { retryAfterSeconds: least } = details;
  if (status === 429) return Number(least);
  if (status !== 503 && status !== 507) return undefined;
  return (typeof least === 'number' ? least : 1) + Math.floor(Math.random() * 5);
}
