import type { Judge } from '@assay/judges';

/** Returns a judge for deployments without a model: every evaluation fails with this message. */
export function refusingJudge(message: string): Judge {
  return {
    evaluate: () =>
      Promise.resolve({
        ok: false,
        error: { code: 'execution_error', message, retryable: false },
        attempts: 0,
        durationMs: 0,
      }),
    close: () => undefined,
  };
}
