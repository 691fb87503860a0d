import type { EvaluatorClient } from '@assay/control-plane-client';
import { AppError } from '@assay/errors';
import type { Finding } from '@assay/runtime';
import type { EvaluatorView } from './get-status.js';

export interface EvaluatorStatusOptions {
  /** Absent: no evaluator is configured. */
  readonly evaluator?: Pick<EvaluatorClient, 'status'> | undefined;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Longest duration of a look at the evaluator, in milliseconds. */
export const EVALUATOR_STATUS_TIMEOUT_MS = 1_000;
/** How long a result is used, also a failure, in milliseconds. */
const KEPT_MS = 2_000;

/**
 * Returns a function that reads the state of a separate evaluator. It never rejects: an evaluator that is unavailable is a reason.
 * Concurrent calls share one request, and further ones of the next 2 seconds its result.
 */
export function makeEvaluatorStatus({ evaluator, now }: EvaluatorStatusOptions) {
  let last: { readonly at: number; readonly status: Promise<EvaluatorView> } | undefined;
  return (): Promise<EvaluatorView> => {
    if (evaluator === undefined) return Promise.resolve(unknown('EVALUATOR_URL is not set'));
    const at = now();
    if (last === undefined || Math.abs(at - last.at) >= KEPT_MS) last = { at, status: read(evaluator) };
    return last.status;
  };
}

/** Returns what `/doctor` reports of the evaluator; nothing when none is configured. */
export async function inspectEvaluator({ evaluator }: EvaluatorStatusOptions): Promise<Finding[]> {
  if (evaluator === undefined) return [];
  const name = 'evaluator';
  const { python, evaluator_reason: reason } = await read(evaluator);
  if (reason !== null) {
    const advice =
      'check that it runs, that EVALUATOR_URL is its address, and that EVALUATOR_TOKEN is the same in both';
    return [{ name, ok: false, detail: reason, advice }];
  }
  const sandbox = python?.available ? 'available' : `not used: ${python?.reason ?? 'no reason given'}`;
  return [{ name, ok: true, detail: `responds, Python sandbox ${sandbox}` }];
}

async function read(evaluator: Pick<EvaluatorClient, 'status'>): Promise<EvaluatorView> {
  try {
    return { ...(await evaluator.status()), evaluator_reason: null };
  } catch (error) {
    return unknown(error instanceof AppError ? error.message : 'the evaluator does not respond');
  }
}

function unknown(reason: string): EvaluatorView {
  return { python: null, providers: null, evaluator_reason: reason };
}
