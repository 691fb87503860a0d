import type { ProviderApi } from '../judge-options.js';
import { anthropic } from './anthropic.js';
import { bedrock } from './bedrock.js';
import { azure, openai } from './openai.js';
import type { ProviderAdapter } from './provider-call.js';

export const ADAPTERS: Readonly<Record<ProviderApi, ProviderAdapter>> = { openai, anthropic, azure, bedrock };
