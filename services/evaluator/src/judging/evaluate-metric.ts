import {
  addsInstructions,
  type DeployedMetric,
  type Evaluation,
  type Event,
  type JsonObject,
} from '@assay/domain';
import type { Judge, JudgeFailure, JudgeOutcome, JudgeRequest, Repetition } from '@assay/judges';
import type { PythonOutcome, PythonRunner } from '@assay/python-runner';
import type { ProviderCondition } from './provider-breaker.js';

export interface EvaluateMetricDeps {
  readonly python: PythonRunner;
  readonly judge: Judge;
  /** Limit of one evaluation by a PYTHON metric, in milliseconds. */
  readonly pythonTimeoutMs: number;
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

const NOTHING = {
  reason: '',
  value: null,
  explanation: '',
  errorClass: '',
  durationMs: 0,
  cost: 0,
  promptTokens: 0,
  completionTokens: 0,
} as const;
const MAX_REASON = 2_000;
const NO_MODEL =
  'the metric names no model, and the deployment has no default: set model_provider and model_name of the metric, or LLM_DEFAULT_PROVIDER and LLM_DEFAULT_MODEL';

/** What metrics see of an event: its fields, of which those that are not stated may be null. */
export type EvaluatedEvent = object & Pick<Event, 'project_id'>;

export interface EvaluateMetricInput {
  readonly metric: DeployedMetric;
  readonly event: EvaluatedEvent;
  /** Bounds and records the requests of a judge. */
  readonly attempts?: Pick<JudgeRequest, 'maxAttempts' | 'beforeAttempt' | 'isRepeated'>;
}

/** Evaluates one event by a metric of type PYTHON or LLM. Never rejects: every failure is an outcome. */
export async function evaluateMetric(
  { python, judge, pythonTimeoutMs }: EvaluateMetricDeps,
  { metric, event, attempts }: EvaluateMetricInput,
  signal?: AbortSignal,
): Promise<EvaluationOutcome> {
  const { name, criteria, return_type: returnType } = metric;
  if (metric.type === 'PYTHON') {
    const categories = metric.categories?.map(({ category }) => category);
    const call = { projectId: event.project_id, source: criteria, metricName: name, returnType };
    const outcome = await python.evaluate(
      { ...call, event: eventOf(event), timeoutMs: pythonTimeoutMs, ...(categories && { categories }) },
      signal,
    );
    return ofPython(outcome, python.state.available);
  }
  const { model_provider: modelProvider, model_name: modelName } = metric;
  if (modelProvider === null || modelName === null)
    return { result: failed('no_model', NO_MODEL), trace: {} };
  const { categories, scale, model_parameters: parameters = null } = metric;
  const model = { modelProvider, modelName, parameters };
  const addInstructions = addsInstructions(metric);
  const request = { ...attempts, ...model, criteria, addInstructions, returnType, categories, scale };
  return ofJudge(
    await judge.evaluate({ ...request, event: eventOf(event), projectId: event.project_id }, signal),
    attempts?.isRepeated ?? false,
  );
}

/** Returns the result of an evaluation that failed. */
export function failed(errorClass: string, reason: string): Result {
  return { ...NOTHING, decision: 'error', errorClass, reason: reason.slice(0, MAX_REASON) };
}

/** The event as metrics see it: without fields that only the store needs. */
function eventOf(
  event: EvaluatedEvent & { readonly origin?: unknown; readonly version?: number },
): JsonObject {
  const { origin: _origin, version: _version, ...visible } = event;
  return visible;
}

function ofPython(outcome: PythonOutcome, isAvailable: boolean): EvaluationOutcome {
  const { durationMs, stdout } = outcome;
  if (outcome.ok) {
    const { value, explanation = '' } = outcome;
    return { result: { ...NOTHING, decision: 'scored', value, explanation, durationMs }, trace: { stdout } };
  }
  const { code, message, line } = outcome.error;
  const reason = line === undefined ? message : `line ${line}: ${message}`;
  const trace = { stdout, ...(line !== undefined && { line }) };
  const result = { ...failed(code, reason), durationMs };
  if (code === 'timeout') return { result: { ...result, decision: 'timeout' }, trace };
  const isPostponed = code === 'machine_busy' || (code === 'unavailable' && isAvailable);
  return { result, trace, isPostponed };
}

function ofJudge(outcome: JudgeOutcome, isRepeated: boolean): EvaluationOutcome {
  const { durationMs, prompt, reply } = outcome;
  // A call that was answered has a cost, known or not.
  const cost = outcome.cost ?? (outcome.tokens === undefined ? 0 : null);
  const { prompt: promptTokens = 0, completion: completionTokens = 0 } = outcome.tokens ?? {};
  const trace = { ...(prompt !== undefined && { prompt }), ...(reply !== undefined && { reply }) };
  const spent = { durationMs, cost, promptTokens, completionTokens };
  if (outcome.ok) {
    const { value, explanation = '' } = outcome;
    const result: Result = { ...NOTHING, decision: 'scored', value, explanation, ...spent };
    return { result, trace, provider: { failed: false } };
  }
  const { code, message, line, repetition } = outcome.error;
  const result = { ...failed(code, message), ...spent };
  return {
    result,
    trace: { ...trace, ...(line !== undefined && { line }) },
    isPostponed: code === 'overloaded' || (isRepeated && repetition !== undefined),
    ...(repetition && { repetition }),
    ...conditionShownBy(outcome),
  };
}

/** A request that was not sent shows nothing; one that the provider has responded to shows that it works. */
function conditionShownBy({ attempts, responded, error }: JudgeFailure): Pick<EvaluationOutcome, 'provider'> {
  const { retryable, retryAfterMs, repetition } = error;
  const isUnanswered = repetition === 'rarely';
  if (attempts > 0 && retryable)
    return {
      provider: {
        failed: true,
        ...(isUnanswered && { isUnanswered }),
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      },
    };
  return responded ? { provider: { failed: false } } : {};
}
