import type { Evaluation } from '@assay/domain';
import { MAX_ATTEMPTS } from '@assay/judges';
import { kindOf } from '../kinds/kinds.js';
import type { EvaluationOutcome } from '../kinds/metric-kind.js';
import { failed } from '../kinds/results.js';
import {
  ended,
  evaluationsRecord,
  isLate,
  late,
  type Ended,
  type Postponed,
  type Prepared,
  type RunTaskDeps,
} from './evaluation-step.js';

/**
 * Returns how many requests an evaluation by a judge may still send. Those of earlier processes count, so that one that
 * crashes again and again pays no more.
 */
export function attemptsLeft({ attempts }: Pick<Evaluation, 'attempts'>): number {
  return Math.max(0, MAX_ATTEMPTS - attempts);
}

/**
 * Carries out an evaluation by a judge. Each request is recorded durably before it is sent. An attempt that only an unavailable provider
 * has ended does not count, and the evaluation is postponed, unless it is late.
 */
export async function runJudge(
  deps: RunTaskDeps,
  step: Prepared,
  started: Evaluation,
): Promise<Ended | Postponed> {
  if (!deps.mayCall(step.task)) {
    const unavailable = failed('execution_error', 'the model provider is unavailable');
    return isLate(deps, started) ? ended(deps, started, late(unavailable)) : { postponed: step.evaluation };
  }
  const maxAttempts = attemptsLeft(started);
  if (maxAttempts === 0)
    return ended(deps, started, failed('execution_error', 'the evaluation was interrupted too often'));
  let attempt = started;
  const beforeAttempt = () => {
    attempt = { ...attempt, attempts: attempt.attempts + 1 };
    return deps.append([evaluationsRecord(step.event, [attempt])]);
  };
  const attempts = { maxAttempts, beforeAttempt, isRepeated: true };
  const outcome = await kindOf(step.metric).evaluate(deps, { ...step, attempts }, step.signal);
  if (step.signal.aborted) return { postponed: { ...step.evaluation, attempts: attempt.attempts } };
  deps.onJudged(step.task, outcome);
  if (!outcome.isPostponed) return ended(deps, attempt, outcome.result);
  if (isLate(deps, started)) return ended(deps, attempt, late(outcome.result));
  return postpone(deps, { ...step, started, attempt, outcome });
}

interface Unavailable extends Prepared {
  /** The evaluation before and after its last attempt was recorded. */
  readonly started: Evaluation;
  readonly attempt: Evaluation;
  readonly outcome: EvaluationOutcome;
}

/** The attempt that an unavailable provider has ended does not count, so that no outage uses the attempts up. */
async function postpone(
  deps: RunTaskDeps,
  { event, evaluation, started, attempt, outcome }: Unavailable,
): Promise<Postponed> {
  const attempts = Math.max(started.attempts, attempt.attempts - 1);
  if (attempts !== attempt.attempts)
    await deps.append([evaluationsRecord(event, [{ ...started, attempts }])]);
  return { postponed: { ...evaluation, attempts }, repetition: outcome.repetition ?? 'soon' };
}
