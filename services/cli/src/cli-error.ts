/** A failure that the caller can fix. The message is one sentence and is printed without a stack trace. */
export class CliError extends Error {
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** A failure that passes: the same request may succeed after a while. */
export class PassingError extends CliError {
  constructor(
    message: string,
    /** How long the server asks to wait; absent: it does not say. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}
