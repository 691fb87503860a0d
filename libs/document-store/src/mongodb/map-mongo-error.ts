import { type AppError, unavailable } from '@assay/errors';
import { MongoServerError } from 'mongodb';

const DUPLICATE_KEY = 11_000;

/** Whether the server has refused the statement, as against not having been reached. */
export function isRefusal(error: unknown): boolean {
  return error instanceof MongoServerError;
}

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** The driver's error as ours: the outcome of the call is unknown. Its text can quote values, so it stays in the cause. */
export function mapMongoError(error: unknown): AppError {
  return unavailable('the document store cannot be reached', error);
}
