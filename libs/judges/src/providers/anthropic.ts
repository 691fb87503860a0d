import type { ProviderAdapter } from './provider-call.js';
import { contentText, countAt, property, textAt, urlBelow } from './read-json.js';
import { maxTokens } from '../sampling-parameters.js';

const API_VERSION = '2023-06-01';
/** The API demands a limit. */
const DEFAULT_MAX_TOKENS = 4_096;

/** Messages API of Anthropic. */
export const anthropic: ProviderAdapter = {
  request: ({ url, apiKey }, { model, system, user, parameters }) => {
    const { stop, temperature, top_p } = parameters;
    return {
      url: urlBelow(url, '/v1/messages'),
      headers: { 'anthropic-version': API_VERSION, ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }) },
      body: {
        model,
        system,
        messages: [{ role: 'user', content: user }],
        max_tokens: maxTokens(parameters) ?? DEFAULT_MAX_TOKENS,
        temperature,
        top_p,
        stop_sequences: stop === undefined ? undefined : [stop].flat(),
      },
    };
  },
  read: (body) => {
    const content = property(body, 'content');
    if (!Array.isArray(content)) return undefined;
    const cacheReadTokens = countAt(body, 'usage', 'cache_read_input_tokens');
    const cacheWriteTokens = countAt(body, 'usage', 'cache_creation_input_tokens');
    return {
      text: contentText(content),
      stopReason: textAt(body, 'stop_reason'),
      promptTokens: countAt(body, 'usage', 'input_tokens') + cacheReadTokens + cacheWriteTokens,
      completionTokens: countAt(body, 'usage', 'output_tokens'),
      cacheReadTokens,
      cacheWriteTokens,
      model: textAt(body, 'model'),
    };
  },
};
