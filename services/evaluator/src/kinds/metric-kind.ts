import type {
  DeployedMetric,
  Evaluation,
  Event,
  JsonObject,
  MetricDefinition,
  MetricRule,
  MetricType,
} from '@assay/domain';
import type { Judge, JudgeRequest, Repetition } from '@assay/judges';
import type { PythonRunner } from '@assay/python-runner';

/** How metrics of a type are evaluated. */
export interface MetricKind {
  readonly type: MetricType;
  /**
   * Checks a metric of a request that is evaluated immediately.
   * @throws AppError `VALIDATION_ERROR` that names the field as that of `metric`
   */
  check(metric: MetricDefinition): void;
  /** Returns what the evaluations of a project by a metric compete for. */
  pool(metric: DeployedMetric, projectId: string, judge: Pick<Judge, 'endpointOwner'>): EvaluationPool;
  /** Evaluates one event. Never rejects: every failure is an outcome. */
  evaluate(
    deps: EvaluateMetricDeps,
    input: EvaluateMetricInput,
    signal?: AbortSignal,
  ): Promise<EvaluationOutcome>;
}

/** What evaluations compete for. */
export interface EvaluationPool {
  /** Its name: the Python runner, or an endpoint of models. */
  readonly pool: string;
  /** Provider of the model that is called; absent when none is. */
  readonly provider?: string;
}

export interface EvaluateMetricDeps {
  readonly python: PythonRunner;
  readonly judge: Judge;
  /** Limit of one evaluation by a metric in Python, in milliseconds. */
  readonly pythonTimeoutMs: number;
}

/** What metrics see of an event: its fields, of which those that are not stated may be null. */
export type EvaluatedEvent = object & Pick<Event, 'project_id'>;

export interface EvaluateMetricInput {
  readonly metric: DeployedMetric;
  readonly event: EvaluatedEvent;
  /** Bounds and records the requests of a judge. */
  readonly attempts?: Pick<JudgeRequest, 'maxAttempts' | 'beforeAttempt' | 'isRepeated'>;
  /** What a metric combines; absent where no scores are known. */
  readonly scores?: CombinedScores;
}

/** Scores on an event, and how they are combined. */
export interface CombinedScores {
  /** The scores of the event; of all events of a session. */
  readonly sources: readonly JsonObject[];
  /** The metrics of the project by name. */
  readonly rules: ReadonlyMap<string, MetricRule>;
}

/** What a request has shown about a provider. */
export interface ProviderCondition {
  readonly failed: boolean;
  /** Whether the provider has responded nothing to a request that may have reached it. */
  readonly isUnanswered?: boolean;
  /** Delay that the provider has asked for. */
  readonly retryAfterMs?: number;
}

/** How an evaluation ended. */
export type Result = Pick<
  Evaluation,
  | 'decision'
  | 'reason'
  | 'value'
  | 'explanation'
  | 'errorClass'
  | 'durationMs'
  | 'cost'
  | 'promptTokens'
  | 'completionTokens'
>;

/** The outcome of an evaluation. */
export interface EvaluationOutcome {
  readonly result: Result;
  /** Whether nothing was evaluated, and the same evaluation may succeed later. */
  readonly isPostponed?: boolean;
  /** When it is repeated; `soon` if absent. */
  readonly repetition?: Repetition;
  /** What the evaluation has shown about the provider of the model; absent when no request reached it. */
  readonly provider?: ProviderCondition;
  /** What the author of a metric sees when trying it. */
  readonly trace: {
    readonly stdout?: string;
    readonly line?: number;
    readonly prompt?: string;
    readonly reply?: string;
  };
}
