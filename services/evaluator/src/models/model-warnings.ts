import { traitsOf, type DeployedMetric } from '@assay/domain';
import { defaultModelOf, withDefaultModel, type DefaultModelSettings } from './default-model.js';
import type { FailingProvider } from './evaluator-status.js';
import type { ModelSettings } from './open-judge.js';
import { readProviderFile } from './read-provider-file.js';

/** Returns a function that says why a metric of type LLM cannot be evaluated at present: it has no model, no endpoint, or its provider fails. */
export function makeModelWarnings(
  config: ModelSettings & DefaultModelSettings,
  failing: (projectId: string) => readonly FailingProvider[],
) {
  const defaultModel = defaultModelOf(config);
  const { providers, projects } = readProviderFile(config.llmProvidersFile);
  return (
    projectId: string,
    sent: Pick<DeployedMetric, 'type' | 'model_provider' | 'model_name'>,
  ): readonly string[] => {
    if (!traitsOf(sent).needsModel) return [];
    const { model_provider: provider, model_name: name } = withDefaultModel(sent, defaultModel);
    if (provider === null || name === null)
      return [
        'the metric names no model and the deployment has no default: events are not evaluated until model_provider and model_name are set',
      ];
    const isConfigured =
      config.llmProxyUrl !== undefined || providers.has(provider) || projects.get(projectId)?.has(provider);
    if (!isConfigured)
      return [
        'no endpoint is configured for model_provider: events are not evaluated until LLM_PROXY_URL or LLM_PROVIDERS_FILE names one',
      ];
    return failing(projectId).some((one) => one.provider === provider)
      ? ['the last call of model_provider has failed: evaluations wait until it responds']
      : [];
  };
}
