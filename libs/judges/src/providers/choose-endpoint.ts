import { JudgeFault } from '../judge-fault.js';
import type { JudgeRequest } from '../judge.js';
import type { EndpointOwner, JudgeOptions, ProviderEndpoint } from '../judge-options.js';

type EndpointQuery = Pick<JudgeRequest, 'projectId' | 'modelProvider'>;
type Endpoints = Pick<JudgeOptions, 'projectProvider' | 'providers' | 'proxy'>;

interface ChosenEndpoint {
  readonly endpoint: ProviderEndpoint;
  readonly allowedHosts: readonly string[];
}

/**
 * Chooses where a model is called: the endpoint of the project, then the one of the provider, then the proxy. Hosts that the operator listed
 * count for the operator's endpoints only.
 * @throws JudgeFault when none is configured
 */
export function chooseEndpoint(
  { projectId, modelProvider }: EndpointQuery,
  {
    projectProvider,
    providers = {},
    proxy,
    allowedHosts = [],
  }: Endpoints & Pick<JudgeOptions, 'allowedHosts'>,
): ChosenEndpoint {
  const own = projectProvider?.(projectId, modelProvider);
  if (own) return { endpoint: own, allowedHosts: [] };
  const override = Object.hasOwn(providers, modelProvider) ? providers[modelProvider] : undefined;
  if (override) return { endpoint: override, allowedHosts };
  if (proxy) return { endpoint: { ...proxy, api: 'openai' }, allowedHosts };
  throw new JudgeFault('execution_error', 'no endpoint is configured for the model provider of the metric');
}

/** Returns whose endpoint {@link chooseEndpoint} chooses; undefined when none is configured. */
export function endpointOwner(
  { projectId, modelProvider }: EndpointQuery,
  { projectProvider, providers = {}, proxy }: Endpoints,
): EndpointOwner | undefined {
  if (projectProvider?.(projectId, modelProvider)) return 'project';
  return proxy !== undefined || Object.hasOwn(providers, modelProvider) ? 'deployment' : undefined;
}
