import { type AppError, unavailable } from '@assay/errors';
import { MongoBulkWriteError, MongoServerError } from 'mongodb';

const DUPLICATE_KEY = 11_000;

/**
 * Returns whether the server rejected the statement, as opposed to being unreachable. The driver reports a bulk write
 * without an answer as an error of the server, too, which has no code.
 */
export function isRefusal(error: unknown): boolean {
  if (error instanceof MongoBulkWriteError) return error.code !== undefined;
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
