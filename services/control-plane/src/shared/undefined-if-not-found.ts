import { AppError } from '@assay/errors';

/** Returns the result of `read`, or undefined if it throws AppError `NOT_FOUND`. */
export async function undefinedIfNotFound<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
