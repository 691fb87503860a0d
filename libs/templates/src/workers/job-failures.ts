import { AppError, unavailable } from '@assay/errors';
import { DEFAULT_LIMITS } from '../limits.js';
import { TemplateError } from '../template-error.js';
import type { JobOutcome } from './messages.js';
import type { StopReason } from './worker-thread.js';

/** What a job fails with when its thread has ended. */
interface StopFailure {
  /** Whether the job is the cause; otherwise it runs once more before it fails. */
  readonly isOfJob: boolean;
  readonly error: () => Error;
}

export const STOP_FAILURES: Readonly<Record<StopReason, StopFailure>> = {
  cpu: {
    isOfJob: true,
    error: () => new TemplateError(`the template takes longer than ${DEFAULT_LIMITS.maxMs} ms`),
  },
  memory: {
    isOfJob: true,
    error: () => new TemplateError('the template and the event need more memory than one rendering may use'),
  },
  wall: {
    isOfJob: false,
    error: () =>
      new AppError(
        'OVERLOADED',
        'the machine is too busy to render the template, send the request again later',
      ),
  },
  exit: {
    isOfJob: false,
    error: () =>
      unavailable('the thread that renders templates has ended twice, send the request again later'),
  },
};

/** Returns the error of a job that has run and has no text. */
export function failureOf(outcome: Exclude<JobOutcome, { readonly text: string }>): Error {
  if ('mistake' in outcome) return new TemplateError(outcome.mistake, outcome.line);
  return new Error(`the renderer of templates failed: ${outcome.internal}`);
}

export function overloaded(): AppError {
  return new AppError(
    'OVERLOADED',
    'too many templates of the project wait to be rendered, send the request again later',
  );
}
