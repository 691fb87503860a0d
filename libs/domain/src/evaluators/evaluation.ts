import type { Event } from '../events/event.js';
import type { JsonValue } from '../json.js';
import type { MetricDefinition } from '../resources/metric.js';

/**
 * What was decided about one event and one metric. `pending`: the evaluation is not complete. The first four that
 * follow `scored` name the rule that excludes the event; `not_decided` means that the filters took too much work, so that
 * it is unknown whether the event matches; `timeout` and `error` mean that the evaluation failed.
 */
export const EVALUATION_DECISIONS = [
  'pending',
  'scored',
  'disabled',
  'not_matching',
  'sampled_out',
  'no_ground_truth',
  'not_decided',
  'timeout',
  'error',
] as const;
export type EvaluationDecision = (typeof EVALUATION_DECISIONS)[number];

/** A metric whose definition is that of its deployed version. */
export interface DeployedMetric extends MetricDefinition {
  readonly id: string;
  /** Name of the deployed version, such as `v3`. */
  readonly version: string;
}

/** The state of the evaluation of one event by one version of a metric. */
export interface Evaluation {
  readonly metricId: string;
  readonly metricVersion: string;
  readonly metricName: string;
  readonly decision: EvaluationDecision;
  /** Why, for people; empty when there is nothing to say. May quote the event, so it stays in the data plane. */
  readonly reason: string;
  /** Null unless it is scored. */
  readonly value: JsonValue;
  /** Empty when there is none. */
  readonly explanation: string;
  /** Code of the failure; empty without one. */
  readonly errorClass: string;
  /** Milliseconds of the evaluation itself. */
  readonly durationMs: number;
  /** US dollars. */
  readonly cost: number | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Requests to a model that were recorded before they were sent, over all processes. */
  readonly attempts: number;
  /** Identifies what was evaluated: see `inputFingerprint`. */
  readonly fingerprint: string;
  /** Version of the event's state that led to the evaluation. Of two evaluations the one with the higher trigger is the newer. */
  readonly trigger: number;
  /** Unix milliseconds. */
  readonly decidedAt: number;
  /** The job that has asked for it; empty without one; absent in records of earlier releases. */
  readonly jobId?: string;
}

/** Returns an evaluation that waits for its turn. */
export function pendingEvaluation(
  metric: Pick<DeployedMetric, 'id' | 'version' | 'name'>,
  cause: Pick<Evaluation, 'fingerprint' | 'trigger' | 'decidedAt' | 'jobId'>,
): Evaluation {
  return {
    metricId: metric.id,
    metricVersion: metric.version,
    metricName: metric.name,
    decision: 'pending',
    reason: '',
    value: null,
    explanation: '',
    errorClass: '',
    durationMs: 0,
    cost: 0,
    promptTokens: 0,
    completionTokens: 0,
    attempts: 0,
    jobId: '',
    ...cause,
  };
}

/** Reasons that decide what is done later. They are stored, so that the process that continues an evaluation knows them. */
const REQUESTED = 'requested by a job';
const REPEATED = 'evaluated again';
const REQUESTED_AGAIN = `${REQUESTED}, ${REPEATED}`;
const KEPT = 'a client has set the score';
const UNDECIDED = 'the filters of the project need more work than an event may cause';
const UNDECIDED_AGAIN = `${UNDECIDED}, ${REPEATED}`;
const QUIET = 'decided when the session has been quiet for a time';
const QUIET_AGAIN = `${QUIET}, ${REPEATED}`;
const UNMATCHED = 'the session did not match the filters when it had been quiet';
const UNMATCHED_AGAIN = `${UNMATCHED}, ${REPEATED}`;
const CHILDLESS = 'no child has a score';
const CHILDLESS_AGAIN = `${CHILDLESS} any more`;

/** With these reasons no evaluation by the metric has ended with a score. */
const WITHOUT_SCORE: readonly string[] = [KEPT, UNDECIDED, UNMATCHED, CHILDLESS];

/** Returns an evaluation that a job has asked for and that waits for its turn: see `onRequest`. */
export function requestedEvaluation(...pending: Parameters<typeof pendingEvaluation>): Evaluation {
  return { ...pendingEvaluation(...pending), reason: REQUESTED };
}

/** Returns an evaluation of a session that waits until it is quiet, since its events decide whether it matches. */
export function sessionEvaluation(...pending: Parameters<typeof pendingEvaluation>): Evaluation {
  return { ...pendingEvaluation(...pending), reason: QUIET };
}

/** Returns whether an evaluation waits until the session is quiet. */
export function awaitsQuiet({ decision, reason }: Pick<Evaluation, 'decision' | 'reason'>): boolean {
  return decision === 'pending' && (reason === QUIET || reason === QUIET_AGAIN);
}

/** Returns the end of an evaluation of a session that does not match, now that its events are known. */
export function unmatchedEvaluation(pending: Evaluation): Evaluation {
  const reason = isFirstEvaluation(pending) ? UNMATCHED : UNMATCHED_AGAIN;
  return { ...pending, decision: 'not_matching', reason };
}

/** Returns whether a session did not match, which further events may change. */
export function isUnmatched({ decision, reason }: Pick<Evaluation, 'decision' | 'reason'>): boolean {
  return decision === 'not_matching' && (reason === UNMATCHED || reason === UNMATCHED_AGAIN);
}

/** Returns the end of an evaluation by a composite none of whose children has a score. */
export function childlessEvaluation(pending: Evaluation): Evaluation {
  const reason = isFirstEvaluation(pending) ? CHILDLESS : CHILDLESS_AGAIN;
  return { ...pending, decision: 'not_matching', reason };
}

/**
 * Returns an evaluation that waits, with what is known of the one before it by the same metric: once one has ended, a
 * score of the event may be its result.
 */
export function evaluationAfter(last: Evaluation | undefined, pending: Evaluation): Evaluation {
  return mayHaveScored(last) ? { ...pending, reason: reasonAgain(pending) } : pending;
}

function reasonAgain(pending: Evaluation): string {
  if (isRequested(pending)) return REQUESTED_AGAIN;
  return awaitsQuiet(pending) ? QUIET_AGAIN : REPEATED;
}

/**
 * Returns the end of an evaluation whose filters were not decided, with what is known of the one before it.
 * @param last the evaluation itself if it has waited
 */
export function undecidedEvaluation(last: Evaluation | undefined, pending: Evaluation): Evaluation {
  const reason = mayHaveScored(last) ? UNDECIDED_AGAIN : UNDECIDED;
  return { ...pending, decision: 'not_decided', reason };
}

function mayHaveScored(last: Evaluation | undefined): last is Evaluation {
  return last !== undefined && !WITHOUT_SCORE.includes(last.reason) && !isFirstEvaluation(last);
}

/** Returns whether a job has asked for an evaluation that waits. */
export function isRequested({ decision, reason }: Pick<Evaluation, 'decision' | 'reason'>): boolean {
  return decision === 'pending' && (reason === REQUESTED || reason === REQUESTED_AGAIN);
}

/** Returns whether the event has a score that a client has set, by what is known of the last evaluation by the metric. */
export function keepsScore(
  last: Evaluation | undefined,
  event: Pick<Event, 'metrics'>,
  name: string,
): boolean {
  return hasScore(event, name) && (last === undefined || WITHOUT_SCORE.includes(last.reason));
}

/** Returns whether the event has a value, other than null, under the name of a metric. */
export function hasScore({ metrics }: Pick<Event, 'metrics'>, name: string): boolean {
  return Object.hasOwn(metrics, name) && metrics[name] !== null;
}

/** Returns the end of an evaluation whose score was set by a client while it waited. What it has cost stays. */
export function keptEvaluation(evaluation: Evaluation): Evaluation {
  const none = { value: null, explanation: '', errorClass: '' };
  return { ...evaluation, ...none, decision: 'not_matching', reason: KEPT };
}

/** Returns whether an evaluation waits and follows none that has ended, so that it cannot have led to a score. */
export function isFirstEvaluation({ decision, reason }: Pick<Evaluation, 'decision' | 'reason'>): boolean {
  return decision === 'pending' && ![REPEATED, REQUESTED_AGAIN, QUIET_AGAIN].includes(reason);
}
