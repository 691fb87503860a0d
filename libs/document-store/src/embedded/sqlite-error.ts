import { AppError, unavailable } from '@assay/errors';

/** Returns the name of SQLite's result code, such as `SQLITE_IOERR_WRITE`; undefined for any other error. */
function resultCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' && error.code.startsWith('SQLITE_') ? error.code : undefined;
}

function isOneOf(error: unknown, names: readonly string[]): boolean {
  const code = resultCode(error);
  return names.some((name) => code === name || code?.startsWith(`${name}_`));
}

/** Returns whether another connection holds a lock, so that a retry may succeed. */
export function isBusy(error: unknown): boolean {
  return isOneOf(error, ['SQLITE_BUSY', 'SQLITE_LOCKED']);
}

export function isNotADatabase(error: unknown): boolean {
  return isOneOf(error, ['SQLITE_NOTADB', 'SQLITE_CORRUPT']);
}

/** Returns the column whose unique index rejected the row; undefined for any other error. */
export function takenColumn(error: unknown): string | undefined {
  if (!(error instanceof Error) || !isOneOf(error, ['SQLITE_CONSTRAINT'])) return undefined;
  return /^UNIQUE constraint failed: [^.]+\.(\w+)$/.exec(error.message)?.[1];
}

/**
 * Converts SQLite's error to an AppError. The original text, which can quote names of the schema but never
 * values, is in the cause.
 */
export function mapSqliteError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const cause = { cause: error };
  if (isBusy(error))
    return unavailable('the document store is locked by another process, retry the request', error);
  if (isOneOf(error, ['SQLITE_FULL']))
    return unavailable('the disk of the document store is full, free some space and retry', error);
  if (isNotADatabase(error))
    return new AppError(
      'INTERNAL_ERROR',
      'the file of the document store is damaged, restore it from a backup',
      cause,
    );
  if (isOneOf(error, ['SQLITE_TOOBIG']))
    return new AppError('PAYLOAD_TOO_LARGE', 'the document is too large for the document store', cause);
  if (resultCode(error) === undefined || isOneOf(error, REFUSALS))
    return new AppError('INTERNAL_ERROR', 'the document store rejected a statement', cause);
  return unavailable('the document store cannot read or write its file', error);
}

/** An invalid statement is a bug of the adapter; a retry does not help. */
const REFUSALS = ['SQLITE_ERROR', 'SQLITE_MISUSE', 'SQLITE_RANGE', 'SQLITE_MISMATCH', 'SQLITE_CONSTRAINT'];
