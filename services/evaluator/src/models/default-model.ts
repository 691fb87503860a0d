import type { DefaultModel } from '@assay/domain';
import { ConfigError } from '@assay/runtime';

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
