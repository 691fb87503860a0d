import { AppError, unavailable } from '@assay/errors';

/** Name of SQLite's result code, such as `SQLITE_IOERR_WRITE`; undefined for another error. */
function resultCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' && error.code.startsWith('SQLITE_') ? error.code : undefined;
}

function isOneOf(error: unknown, names: readonly string[]): boolean {
  const code = resultCode(error);
  return names.some((name) => code === name || code?.startsWith(`${name}_`));
}

/** Whether another connection holds a lock: the same call may succeed a moment later. */
export function isBusy(error: unknown): boolean {
  return isOneOf(error, ['SQLITE_BUSY', 'SQLITE_LOCKED']);
}

export function isNotADatabase(error: unknown): boolean {
  return isOneOf(error, ['SQLITE_NOTADB', 'SQLITE_CORRUPT']);
}

/** The column whose unique index refused the row; undefined for another error. */
export function takenColumn(error: unknown): string | undefined {
  if (!(error instanceof Error) || !isOneOf(error, ['SQLITE_CONSTRAINT'])) return undefined;
  return /^UNIQUE constraint failed: [^.]+\.(\w+)$/.exec(error.message)?.[1];
}

/** SQLite's error as an AppError. Its text can quote names of the schema but never values; it stays in the cause. */
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
    return new AppError('INTERNAL_ERROR', 'the document store refused a statement', cause);
  return unavailable('the document store cannot read or write its file', error);
}

/** A statement is wrong: a mistake of the adapter, which does not go away by trying again. */
const REFUSALS = ['SQLITE_ERROR', 'SQLITE_MISUSE', 'SQLITE_RANGE', 'SQLITE_MISMATCH', 'SQLITE_CONSTRAINT'];
