import { AppError } from '@assay/errors';
import type { Document, DocumentCollection } from '@assay/document-store';

const MAX_ATTEMPTS = 10;

/** Result of an attempt that lost against a concurrent write. */
export const LOST = Symbol('lost against a concurrent write');

export interface RetryOptions {
  readonly maxAttempts?: number;
  /** Code of the error after the last attempt. */
  readonly code?: 'CONFLICT' | 'UNAVAILABLE';
}

/**
 * Repeats an optimistic write until an attempt returns something other than {@link LOST}.
 * @throws AppError with the given code, `CONFLICT` by default, after `maxAttempts` attempts, 10 by default
 */
export async function retryWhileLost<T>(
  attempt: () => Promise<T | typeof LOST>,
  { maxAttempts = MAX_ATTEMPTS, code = 'CONFLICT' }: RetryOptions = {},
): Promise<T> {
  for (let count = 0; count < maxAttempts; count++) {
    const result = await attempt();
    if (result !== LOST) return result;
  }
  throw new AppError(code, 'concurrent update, retry the request');
}

/**
 * Reads a document and replaces it by the result of `update`, and repeats both after a concurrent write.
 * Returns undefined if `find` finds no document. @throws AppError `CONFLICT` after ten attempts
 */
export async function updateWithRetry<Fields extends object>(
  collection: DocumentCollection<Fields>,
  find: () => Promise<Document<Fields> | undefined>,
  update: (document: Document<Fields>) => Document<Fields>,
): Promise<Document<Fields> | undefined> {
  return retryWhileLost(async () => {
    const found = await find();
    return found && ((await collection.replace(update(found))) ?? LOST);
  });
}
