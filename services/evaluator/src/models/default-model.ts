import { traitsOf, type DeployedMetric } from '@assay/domain';
import { ConfigError } from '@assay/runtime';

/** The model of metrics that name none. */
export interface DefaultModel {
  readonly provider: string;
  readonly name: string;
}

export interface DefaultModelSettings {
  readonly llmDefaultProvider: string | undefined;
  readonly llmDefaultModel: string | undefined;
}

/** @throws ConfigError when only one of the two settings is set */
export function defaultModelOf({
  llmDefaultProvider: provider,
  llmDefaultModel: name,
}: DefaultModelSettings): DefaultModel | undefined {
  if (provider !== undefined && name !== undefined) return { provider, name };
  if (provider === undefined && name === undefined) return undefined;
  throw new ConfigError(['LLM_DEFAULT_PROVIDER and LLM_DEFAULT_MODEL must be set together']);
}

/**
 * Returns a metric of type LLM with the model that evaluates: what it does not name is that of the default. The default model is not
 * combined with another provider. Other metrics are returned unchanged.
 */
export function withDefaultModel<M extends Pick<DeployedMetric, 'type' | 'model_provider' | 'model_name'>>(
  metric: M,
  model: DefaultModel | undefined,
): M {
  const { model_provider, model_name } = metric;
  if (!traitsOf(metric).needsModel || model === undefined || (model_provider !== null && model_name !== null))
    return metric;
  if ((model_provider ?? model.provider) !== model.provider) return metric;
  return { ...metric, model_provider: model.provider, model_name: model_name ?? model.name };
}
