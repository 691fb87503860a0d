import type { JudgeError, JudgeErrorCode, Repetition } from './judge.js';

interface FaultOptions {
  readonly retryable?: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly repetition?: Repetition | undefined;
  readonly line?: number | undefined;
  readonly cause?: unknown;
}

/** A failure of one evaluation, inside this package. */
export class JudgeFault extends Error {
  override readonly name = 'JudgeFault';
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly repetition: Repetition | undefined;
  readonly line: number | undefined;

  constructor(
    readonly code: JudgeErrorCode,
    message: string,
    { retryable = false, retryAfterMs, repetition, line, cause }: FaultOptions = {},
  ) {
    super(message, { cause });
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
    this.repetition = repetition;
    this.line = line;
  }

  toError(): JudgeError {
    const { code, message, retryable, retryAfterMs, repetition, line } = this;
    return {
      ...{ code, message, retryable },
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(repetition !== undefined && { repetition }),
      ...(line !== undefined && { line }),
    };
  }
}
