import type { JsonValue } from '../json.js';
import type { MetricDefinition } from '../resources/metric.js';

/**
 * What was decided about one event and one metric. `pending`: the evaluation is not complete. The first four that
 * follow `scored` name the rule that excludes the event; `timeout` and `error` mean that the evaluation failed.
 */
export const EVALUATION_DECISIONS = [
  'pending',
  'scored',
  'disabled',
  'not_matching',
  'sampled_out',
  'no_ground_truth',
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
  readonly cost: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** How often the evaluation was started. */
  readonly attempts: number;
  /** Identifies what was evaluated: see `inputFingerprint`. */
  readonly fingerprint: string;
  /** Version of the event's state that led to the evaluation. Of two evaluations the one with the higher trigger is the newer. */
  readonly trigger: number;
  /** Unix milliseconds. */
  readonly decidedAt: number;
}

/** Returns an evaluation that waits for its turn. */
export function pendingEvaluation(
  metric: Pick<DeployedMetric, 'id' | 'version' | 'name'>,
  cause: Pick<Evaluation, 'fingerprint' | 'trigger' | 'decidedAt'>,
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
    ...cause,
  };
}

/** Reason of an evaluation that waits because a job has asked for it. It is stored, so that a successor knows. */
const REQUESTED = 'requested by a job';

/** Returns an evaluation that a job has asked for and that waits for its turn: see `appliesOnRequest`. */
export function requestedEvaluation(...pending: Parameters<typeof pendingEvaluation>): Evaluation {
  return { ...pendingEvaluation(...pending), reason: REQUESTED };
}

/** Returns whether a job has asked for an evaluation that waits. */
export function isRequested({ decision, reason }: Pick<Evaluation, 'decision' | 'reason'>): boolean {
  return decision === 'pending' && reason === REQUESTED;
}
