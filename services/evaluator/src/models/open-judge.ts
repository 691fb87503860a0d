import { createJudge, type Judge, type JudgeOptions } from '@assay/judges';
import { connectionTls, type Logger, type TlsFilePaths } from '@assay/runtime';
import { readProviderFile } from './read-provider-file.js';

/** The settings of models among those of the process. */
export interface ModelSettings {
  readonly llmProxyUrl: string | undefined;
  readonly llmProxyApiKey: string | undefined;
  readonly llmProxyCaFile: TlsFilePaths['ca'];
  readonly llmProxyTimeoutMs: number;
  readonly llmAllowedHosts: readonly string[];
  readonly llmProvidersFile: string | undefined;
}

/**
 * Returns the judge of a process with these settings. A metric whose provider has no endpoint ends as an error.
 * @throws ConfigError when the file of providers cannot be used
 */
export function openJudge(
  config: ModelSettings,
  {
    logger,
    ...options
  }: { readonly logger: Pick<Logger, 'warn'> } & Pick<JudgeOptions, 'templates' | 'prices'>,
): Judge {
  const { llmProxyUrl, llmProxyApiKey, llmProxyTimeoutMs, llmAllowedHosts, llmProvidersFile } = config;
  const { providers, projects } = readProviderFile(llmProvidersFile);
  const proxy = llmProxyUrl === undefined ? undefined : { url: llmProxyUrl, ...keyOf(llmProxyApiKey) };
  return createJudge({
    ...(proxy && { proxy }),
    providers: Object.fromEntries(providers),
    projectProvider: (projectId, modelProvider) => projects.get(projectId)?.get(modelProvider),
    allowedHosts: [...llmAllowedHosts, ...(proxy ? [hostOf(proxy.url)] : [])],
    tls: connectionTls({ ca: config.llmProxyCaFile }, logger),
    timeoutMs: llmProxyTimeoutMs,
    ...options,
  });
}

/** Name of the API of all providers without an endpoint of their own. */
const PROXY = 'proxy';

/** Returns the names of the configured model providers, without those of single projects; `proxy` for the proxy of all. */
export function providerNames(config: ModelSettings): string[] {
  const { providers } = readProviderFile(config.llmProvidersFile);
  return [...(config.llmProxyUrl === undefined ? [] : [PROXY]), ...providers.keys()];
}

function keyOf(apiKey: string | undefined) {
  return apiKey === undefined ? {} : { apiKey };
}

/** The host with its port: other ports of the host are not allowed. */
function hostOf(text: string): string {
  const { hostname, port, protocol } = new URL(text);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
