import { ERROR_CODES, type ErrorCode } from './error-codes.js';

export interface AppErrorOptions {
  /** The underlying error; logged, never sent to a client. */
  cause?: unknown;
  /** Facts for the log and for callers; never payload values. `retryAfterSeconds` is the least that a client should wait. */
  details?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * An error with a code of {@link ERROR_CODES}. `message` is written for the sender of the request: lower case, no full stop, names
 * the field and never its value.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, string | number | boolean>>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }

  /** HTTP status of the response. */
  get status(): number {
    return ERROR_CODES[this.code].status;
  }

  /** Whether the same input may succeed later. */
  get retryable(): boolean {
    return ERROR_CODES[this.code].retryable;
  }
}

/** Whether the same input may succeed later. An error without a code is retryable, so that its input is never dropped. */
export function isRetryable(error: unknown): boolean {
  return error instanceof AppError ? error.retryable : true;
}

export function validationError(message: string, options?: AppErrorOptions): AppError {
  return new AppError('VALIDATION_ERROR', message, options);
}

export function notFound(message: string): AppError {
  return new AppError('NOT_FOUND', message);
}

/** A dependency is unreachable or timed out: the outcome of the call is unknown. */
export function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('UNAVAILABLE', message, { cause });
}
