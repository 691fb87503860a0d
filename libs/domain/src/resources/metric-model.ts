import type { MetricDefinition } from './metric.js';
import { traitsOf } from './metric-kinds.js';

/** The model of metrics that name none. */
export interface DefaultModel {
  readonly provider: string;
  readonly name: string;
}

/** The models that evaluators can call for one project. */
export interface CallableModels {
  readonly defaultModel?: DefaultModel | undefined;
  /** Whether there is an endpoint for this `model_provider`. */
  readonly hasEndpoint: (provider: string) => boolean;
  /** Whether the last call of the provider by the project has failed. */
  readonly isFailing: (provider: string) => boolean;
}

type MetricModel = Pick<MetricDefinition, 'type' | 'model_provider' | 'model_name'>;

/**
 * Returns a metric of type LLM with the model that evaluates: what it does not name is that of the default. The default model is not
 * combined with another provider. Other metrics are returned unchanged.
 */
export function withDefaultModel<M extends MetricModel>(metric: M, model: DefaultModel | undefined): M {
  const { model_provider, model_name } = metric;
  if (!traitsOf(metric).needsModel || model === undefined || (model_provider !== null && model_name !== null))
    return metric;
  if ((model_provider ?? model.provider) !== model.provider) return metric;
  return { ...metric, model_provider: model.provider, model_name: model_name ?? model.name };
}

/** Says why a metric of type LLM cannot be evaluated at present: it has no model, no endpoint, or its provider fails. */
export function modelWarnings(metric: MetricModel, models: CallableModels): readonly string[] {
  if (!traitsOf(metric).needsModel) return [];
  const { model_provider: provider, model_name: name } = withDefaultModel(metric, models.defaultModel);
  if (provider === null || name === null)
    return [
      'the metric names no model and the deployment has no default: events are not evaluated until model_provider and model_name are set',
    ];
  if (!models.hasEndpoint(provider))
    return [
      'no endpoint is configured for model_provider: events are not evaluated until LLM_PROXY_URL or LLM_PROVIDERS_FILE names one',
    ];
  if (models.isFailing(provider))
    return ['the last call of model_provider has failed: evaluations wait until it responds'];
  return [];
}
