import { type AppError, unavailable } from '@assay/errors';
import { MongoServerError } from 'mongodb';

const DUPLICATE_KEY = 11_000;

/** Returns whether the server rejected the statement, as opposed to being unreachable. */
export function isRefusal(error: unknown): boolean {
  return error instanceof MongoServerError;
}

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/**
 * Converts the driver's error to `UNAVAILABLE`: the outcome of the call is unknown. The original text can
 * quote values, so it is only in the cause.
 */
export function mapMongoError(error: unknown): AppError {
  return unavailable('the document store is unreachable', error);
}
