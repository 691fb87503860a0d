import type { SamplingParameters } from '../sampling-parameters.js';
import type { ProviderEndpoint } from '../judge-options.js';

/** What a model is asked, independent of its provider. */
export interface ModelPrompt {
  readonly model: string;
  /** Absent when the criteria of the metric are the only message. */
  readonly system?: string;
  readonly user: string;
  readonly parameters: SamplingParameters;
}

export interface ProviderRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

export interface Completion {
  /** Empty when the model refused or returned no text. */
  readonly text: string;
  /** Why the model stopped, in the words of the API; undefined when the provider does not say. */
  readonly stopReason: string | undefined;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Prompt tokens that were read from a cache. */
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Model that replied; undefined when the provider does not say. */
  readonly model: string | undefined;
}

/** The API of a provider. */
export interface ProviderAdapter {
  readonly request: (endpoint: ProviderEndpoint, prompt: ModelPrompt) => ProviderRequest;
  /** Reads a response with status 200; undefined when it has no completion. */
  readonly read: (body: unknown) => Completion | undefined;
}
