/** A start failure that an operator can fix. The message is one sentence and is printed without a stack trace. */
export class StartError extends Error {}

/** Returns the code of a system error, such as `EADDRINUSE`; undefined for anything else. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
