import { addsInstructions, checkModelNamed } from '@assay/domain';
import type { JudgeFailure, JudgeOutcome } from '@assay/judges';
import type { EvaluationOutcome, MetricKind } from './metric-kind.js';
import { failed, scored, visibleEvent } from './results.js';

const NO_MODEL =
  'the metric names no model, and the deployment has no default: set model_provider and model_name of the metric, or LLM_DEFAULT_PROVIDER and LLM_DEFAULT_MODEL';

/** Metrics whose criteria are the template of a prompt, which a model responds to with a rating. */
export const llm: MetricKind = {
  type: 'LLM',
  check: (metric) => checkModelNamed(metric, 'metric.'),
  /** An endpoint of a project has a pool of its own, so that it delays no other project when it hangs. */
  pool: ({ model_provider: named }, projectId, judge) => {
    const provider = named ?? '';
    const isOwn = judge.endpointOwner({ projectId, modelProvider: provider }) === 'project';
    return { pool: isOwn ? `model of ${projectId}/${provider}` : `model/${provider}`, provider };
  },
  evaluate: async ({ judge }, { metric, event, attempts }, signal) => {
    const { criteria, return_type: returnType, categories, scale } = metric;
    const { model_provider: modelProvider, model_name: modelName } = metric;
    if (modelProvider === null || modelName === null)
      return { result: failed('no_model', NO_MODEL), trace: {} };
    const model = { modelProvider, modelName, parameters: metric.model_parameters ?? null };
    const rating = { addInstructions: addsInstructions(metric), returnType, categories, scale };
    const request = { ...attempts, ...model, criteria, ...rating };
    const { project_id: projectId } = event;
    return ofJudge(
      await judge.evaluate({ ...request, event: visibleEvent(event), projectId }, signal),
      attempts?.isRepeated ?? false,
    );
  },
};

function ofJudge(outcome: JudgeOutcome, isRepeated: boolean): EvaluationOutcome {
  const { durationMs, prompt, reply } = outcome;
  // A call that was answered has a cost, known or not.
  const cost = outcome.cost ?? (outcome.tokens === undefined ? 0 : null);
  const { prompt: promptTokens = 0, completion: completionTokens = 0 } = outcome.tokens ?? {};
  const trace = { ...(prompt !== undefined && { prompt }), ...(reply !== undefined && { reply }) };
  const spent = { durationMs, cost, promptTokens, completionTokens };
  if (outcome.ok) {
    const { value, explanation = '' } = outcome;
    return { result: scored(value, { explanation, ...spent }), trace, provider: { failed: false } };
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
