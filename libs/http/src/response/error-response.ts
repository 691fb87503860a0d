import { toErrorBody } from '@assay/contracts';
import { AppError } from '@assay/errors';
import { JSON_TYPE, type WireResponse } from './response.js';
import { otlpErrorBody } from './otlp-status.js';

/** The same failure as an error with a code. What nobody foresaw is an internal error; its text stays inside. */
export function toAppError(error: unknown, encoding?: 'otlp'): AppError {
  if (error instanceof AppError)
    return encoding === 'otlp' && error.code === 'INTERNAL_ERROR' ? retryLater(error) : error;
  return encoding === 'otlp'
    ? retryLater(error)
    : new AppError('INTERNAL_ERROR', 'something went wrong on our side', { cause: error });
}

/** Exporters drop data on 500 and send it again on 503. */
function retryLater(cause: unknown): AppError {
  return new AppError('UNAVAILABLE', 'something went wrong on our side, send the request again later', {
    cause,
  });
}

/** @param contentType the type of an OTLP request, whose encoding the answer takes */
export function errorResponse(error: AppError, encoding?: 'otlp', contentType?: string): WireResponse {
  const headers = headersOf(error);
  if (encoding === 'otlp') return { status: error.status, ...otlpErrorBody(error, contentType), headers };
  return { status: error.status, contentType: JSON_TYPE, body: JSON.stringify(toErrorBody(error)), headers };
}

function headersOf(error: AppError): Record<string, string> {
  if (error.status === 401) return { 'WWW-Authenticate': 'Bearer' };
  if (error.status === 503) return { 'Retry-After': String(retryAfterSeconds()) };
  return {};
}

/** Spread, so that those who were refused together do not come back together. */
function retryAfterSeconds(): number {
  return 1 + Math.floor(Math.random() * 5);
}
