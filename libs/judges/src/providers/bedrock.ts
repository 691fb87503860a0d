import { bearer } from './openai.js';
import type { ProviderAdapter } from './provider-call.js';
import { contentText, countAt, property, textAt, urlBelow } from './read-json.js';
import { maxTokens } from '../sampling-parameters.js';

/** Converse API of Amazon Bedrock with a bearer token, directly or through a proxy that signs the requests. */
export const bedrock: ProviderAdapter = {
  request: (endpoint, { model, system, user, parameters }) => {
    const { stop, temperature, top_p } = parameters;
    return {
      url: urlBelow(endpoint.url, `/model/${encodeURIComponent(model)}/converse`),
      headers: bearer(endpoint),
      body: {
        system: system === undefined ? undefined : [{ text: system }],
        messages: [{ role: 'user', content: [{ text: user }] }],
        inferenceConfig: {
          maxTokens: maxTokens(parameters),
          temperature,
          topP: top_p,
          stopSequences: stop === undefined ? undefined : [stop].flat(),
        },
      },
    };
  },
  read: (body) => {
    const content = property(body, 'output', 'message', 'content');
    if (!Array.isArray(content)) return undefined;
    const cacheReadTokens = countAt(body, 'usage', 'cacheReadInputTokens');
    const cacheWriteTokens = countAt(body, 'usage', 'cacheWriteInputTokens');
    return {
      text: contentText(content),
      stopReason: textAt(body, 'stopReason'),
      promptTokens: countAt(body, 'usage', 'inputTokens') + cacheReadTokens + cacheWriteTokens,
      completionTokens: countAt(body, 'usage', 'outputTokens'),
      cacheReadTokens,
      cacheWriteTokens,
      model: undefined,
    };
  },
};
