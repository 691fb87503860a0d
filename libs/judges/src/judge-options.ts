import type { Prices } from '@assay/otlp';
import type { TlsFiles } from '@assay/runtime';
import type { TemplateRenderer } from '@assay/templates';
import type { ResolveHost } from './outbound/resolve-host.js';

/** `model_provider` of a test double: an OpenAI-compatible server that the operator configures under this name. */
export const MOCK_PROVIDER = 'mock_llm';

/** The APIs whose requests and responses a judge can write and read. */
export const PROVIDER_APIS = ['openai', 'anthropic', 'azure', 'bedrock'] as const;
export type ProviderApi = (typeof PROVIDER_APIS)[number];

/** Where the models of a provider are called, and how. */
export interface ProviderEndpoint {
  readonly api: ProviderApi;
  /** Base URL; the path of the API is appended. */
  readonly url: string;
  /** Sent in the header that the API expects; never logged or quoted. */
  readonly apiKey?: string;
  /** `api-version` of Azure OpenAI. */
  readonly apiVersion?: string;
}

/** Whose endpoint is called: one that is configured for the project, or one of the deployment. */
export type EndpointOwner = 'project' | 'deployment';

export interface JudgeOptions {
  /** Renders prompts. The caller closes it. */
  readonly templates: Pick<TemplateRenderer, 'render'>;
  /** OpenAI-compatible endpoint of every provider without one of its own: `LLM_PROXY_URL` and `LLM_PROXY_API_KEY`. */
  readonly proxy?: Omit<ProviderEndpoint, 'api' | 'apiVersion'>;
  /** Endpoints by `model_provider`, which take precedence over the proxy. */
  readonly providers?: Readonly<Record<string, ProviderEndpoint>>;
  /** Endpoint of a provider for one project, which takes precedence over both; undefined when it has none. */
  readonly projectProvider?: (projectId: string, modelProvider: string) => ProviderEndpoint | undefined;
  /**
   * Hosts, as `name` or `name:port`, that may have private addresses, plain HTTP and any port. The hosts of `proxy` and `providers`
   * are part of the deployment's configuration: list those that are inside its network. A project cannot use them.
   */
  readonly allowedHosts?: readonly string[];
  /** Authorities of the hosts in `allowedHosts`, besides those of Node: `LLM_PROXY_CA_FILE`. Endpoints of projects are not checked with them. */
  readonly tls?: TlsFiles | undefined;
  /** Total time of one evaluation, retries included, in milliseconds: `LLM_PROXY_TIMEOUT_MS`. 60,000 by default. */
  readonly timeoutMs?: number;
  /** Returns the prices of models that hold now; the built-in table by default. */
  readonly prices?: Prices;
  /** Resolves hosts that are not listed in `allowedHosts`; the system's resolver by default. */
  readonly resolveHost?: ResolveHost;
  /** Jitter of retries, from 0 to 1; random by default. */
  readonly random?: () => number;
}
