import { AppError, unavailable, validationError } from '@assay/errors';

/**
 * Codes of the engine for data that no retry makes readable: parse, type, range and UTF-8 failures of an
 * insert.
 */
const REFUSED_DATA = new Set([
  6, 25, 26, 27, 33, 38, 41, 43, 53, 69, 70, 72, 116, 117, 129, 130, 131, 190, 321, 349, 376, 441, 467, 675,
  676,
]);
/** Codes for a query beyond its limits: rows, time, speed, memory, bytes. */
const OVER_LIMIT = new Set([158, 159, 160, 241, 307, 396]);
/** Codes for a query beyond its memory or the bytes of its result. */
const TOO_LARGE = new Set([241, 396]);
/**
 * Codes for a value that does not fit its bound type, and for a query that is too large or too deep to parse.
 */
const REFUSED_QUERY = new Set([6, 27, 38, 41, 53, 62, 72, 167, 168, 306, 376, 456, 457]);

/** Code for a table that was renamed or altered while a statement altered it. */
const CANNOT_ASSIGN_ALTER = 517;

/** The failure of an insert. A refused row fails on every retry; anything else may pass. */
export function insertFailure(error: unknown): AppError {
  const code = engineCode(error);
  if (code !== undefined && REFUSED_DATA.has(code)) {
    return validationError('the event store refuses a row of the batch', {
      cause: error,
      details: { engineCode: code },
    });
  }
  return otherFailure(error, code);
}

/** The failure of a client's query, which can be too large. */
export function queryFailure(error: unknown): AppError {
  if (isOverLimit(error) && !isSharedLimit(error)) return queryTooLarge(error);
  return readerFailure(error);
}

/** The error of a client's query that exceeds its limits. */
export function queryTooLarge(cause?: unknown): AppError {
  const code = engineCode(cause);
  return validationError('the query is too large: narrow its dates, filters or limit', {
    cause,
    ...(code !== undefined && { details: { engineCode: code } }),
  });
}

/** Whether the engine stopped a statement because of its time, memory, rows or bytes. */
export function isOverLimit(error: unknown): boolean {
  const code = engineCode(error);
  return code !== undefined && OVER_LIMIT.has(code);
}

/** Whether a client's query failed because what it reads is too large, so that a part of it could be read. */
export function isResultTooLarge(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') return false;
  return TOO_LARGE.has(Number(error.details['engineCode']));
}

/** The failure of a read of the store itself. Exceeding a limit says nothing about the data, so it is retryable. */
export function readerFailure(error: unknown): AppError {
  const code = engineCode(error);
  if (code !== undefined && REFUSED_QUERY.has(code)) {
    return validationError('the event store refuses a value of the query', {
      cause: error,
      details: { engineCode: code },
    });
  }
  return otherFailure(error, code);
}

/** The failure of a statement that carries no user data. */
export function commandFailure(error: unknown): AppError {
  return otherFailure(error, engineCode(error));
}

/** Whether a statement failed because another process changed its table at the same time. */
export function isAlteredMeanwhile(error: unknown): boolean {
  return error instanceof AppError && error.details['engineCode'] === CANNOT_ASSIGN_ALTER;
}

/** The engine's own number of an error; undefined when the engine was not reached. */
export function engineCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('clickhouseCode' in error && typeof error.clickhouseCode === 'number') return error.clickhouseCode;
  return 'code' in error && typeof error.code === 'string' && /^\d+$/.test(error.code)
    ? Number(error.code)
    : undefined;
}

/** Memory of the whole server ran out, not that of the query. */
function isSharedLimit(error: unknown): boolean {
  return error instanceof Error && /\(total\)|for user/i.test(error.message);
}

/** Text of the page with which a proxy refuses a request body that is larger than its limit; ClickHouse has none. */
const REFUSED_BODY = /\b413\b|(?:entity|payload|content) too large/i;

function isRefusedByProxy(error: unknown): boolean {
  return error instanceof Error && REFUSED_BODY.test(error.message);
}

function bodyRefused(cause: unknown): AppError {
  return new AppError(
    'UNAVAILABLE',
    'a proxy in front of the event store refuses a request because of its size, raise its limit to 64 MB',
    { cause, details: { isBodyRefused: true } },
  );
}

/** Whether a proxy has refused a statement because of its size: it can succeed in parts only. */
export function isBodyRefused(error: unknown): boolean {
  return error instanceof AppError && error.details['isBodyRefused'] === true;
}

/** The rights that the user lacks, as the engine names them. */
const LACKED_RIGHT = /\bgrants? ([A-Z][^.]{0,2000}?) ON ([\w.*]*[\w*])/;
const COLUMNS = /\([^)]*\)/g;

function otherFailure(error: unknown, code: number | undefined): AppError {
  if (error instanceof AppError) return error;
  if (code === undefined && isRefusedByProxy(error)) return bodyRefused(error);
  if (code === undefined) return unavailable('the event store cannot be reached', error);
  const [, right, target] = LACKED_RIGHT.exec(error instanceof Error ? error.message : '') ?? [];
  if (right !== undefined)
    return new AppError(
      'UNAVAILABLE',
      `the user of the event store lacks the right ${right.replace(COLUMNS, '')} ON ${target}`,
      {
        cause: error,
        details: { engineCode: code },
      },
    );
  return new AppError('UNAVAILABLE', 'the event store failed', {
    cause: error,
    details: { engineCode: code },
  });
}
