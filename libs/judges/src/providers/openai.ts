import type { ProviderEndpoint } from '../judge-options.js';
import type { Completion, ModelPrompt, ProviderAdapter } from './provider-call.js';
import { contentText, countAt, property, textAt, urlBelow } from './read-json.js';

const DEFAULT_AZURE_VERSION = '2024-10-21';

/** Chat completions of OpenAI, and of every service that is compatible with it. */
export const openai: ProviderAdapter = {
  request: (endpoint, prompt) => ({
    url: urlBelow(endpoint.url, '/chat/completions'),
    headers: bearer(endpoint),
    body: { model: prompt.model, ...chatBody(prompt) },
  }),
  read: readChat,
};

/** Chat completions of Azure OpenAI: the model is the name of a deployment. */
export const azure: ProviderAdapter = {
  request: (endpoint, prompt) => ({
    url: urlBelow(endpoint.url, `/openai/deployments/${encodeURIComponent(prompt.model)}/chat/completions`, {
      'api-version': endpoint.apiVersion ?? DEFAULT_AZURE_VERSION,
    }),
    headers: keyHeader(endpoint),
    body: chatBody(prompt),
  }),
  read: readChat,
};

function keyHeader({ apiKey }: ProviderEndpoint): Readonly<Record<string, string>> {
  return apiKey === undefined ? {} : { 'api-key': apiKey };
}

export function bearer({ apiKey }: ProviderEndpoint): Readonly<Record<string, string>> {
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}

function chatBody({ system, user, parameters }: ModelPrompt): object {
  return {
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      { role: 'user', content: user },
    ],
    ...parameters,
  };
}

/** A refusal is a completion for the API, which ends with the reason `stop`. */
function refusalOf(message: object): 'refusal' | undefined {
  return textAt(message, 'refusal') ? 'refusal' : undefined;
}

function readChat(body: unknown): Completion | undefined {
  const message = property(body, 'choices', 0, 'message');
  if (typeof message !== 'object' || message === null) return undefined;
  return {
    text: contentText(property(message, 'content')),
    stopReason: refusalOf(message) ?? textAt(body, 'choices', 0, 'finish_reason'),
    promptTokens: countAt(body, 'usage', 'prompt_tokens'),
    completionTokens: countAt(body, 'usage', 'completion_tokens'),
    cacheReadTokens: countAt(body, 'usage', 'prompt_tokens_details', 'cached_tokens'),
    cacheWriteTokens: 0,
    model: textAt(body, 'model'),
  };
}
