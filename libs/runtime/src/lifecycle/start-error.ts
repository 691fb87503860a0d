import { isNativeError } from 'node:util/types';

/** A start failure that an operator can fix. The message is one sentence and is printed without a stack trace. */
export class StartError extends Error {
  /** Exit code of the process: 78 (EX_CONFIG) when only another configuration helps, 1 by default. */
  readonly exitCode: number;

  constructor(message: string, { exitCode = 1, ...options }: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Returns the code of a system error, such as `EADDRINUSE`; undefined for anything else. */
export function systemErrorCode(error: unknown): string | undefined {
  return isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
