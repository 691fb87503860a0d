import { modelWarnings, type DeployedMetric } from '@assay/domain';
import { defaultModelOf, type DefaultModelSettings } from './default-model.js';
import type { FailingProvider } from './evaluator-status.js';
import type { ModelSettings } from './open-judge.js';
import { readProviderFile } from './read-provider-file.js';

/** Returns what says why metrics of a project cannot be evaluated by this process at present. */
export function makeModelWarnings(
  config: ModelSettings & DefaultModelSettings,
  failing: (projectId: string) => readonly FailingProvider[],
) {
  const defaultModel = defaultModelOf(config);
  const { providers, projects } = readProviderFile(config.llmProvidersFile);
  return (projectId: string) => {
    const callable = {
      defaultModel,
      hasEndpoint: (provider: string) =>
        config.llmProxyUrl !== undefined ||
        providers.has(provider) ||
        (projects.get(projectId)?.has(provider) ?? false),
      isFailing: (provider: string) => failing(projectId).some((one) => one.provider === provider),
    };
    return Promise.resolve((metric: Pick<DeployedMetric, 'type' | 'model_provider' | 'model_name'>) =>
      modelWarnings(metric, callable),
    );
  };
}
