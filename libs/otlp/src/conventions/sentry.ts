import type { JsonValue } from '@assay/domain';
import { parsed } from '../json/parse-json.js';
import { asHistory } from './chat-readers.js';
import { asParsed, asText } from './readers.js';
import type { Convention } from './rule.js';
import { asCalls } from './vercel-readers.js';

/** A text, or the texts of a list in JSON. */
function asTextOrTexts(value: JsonValue): JsonValue | undefined {
  const list = parsed(value);
  if (!Array.isArray(list)) return asText(value);
  return list.length > 0 && list.every((item) => typeof item === 'string') ? list.join('\n') : undefined;
}

export const sentry: Convention = {
  name: 'sentry',
  title: 'Sentry SDKs',
  precedence: 26,
  always: true,
  detectors: ['sentry.*'],
  rules: [
    { key: 'gen_ai.request.messages', to: 'fact.history', read: asHistory },
    { key: 'gen_ai.response.text', to: 'fact.answer_text', read: asTextOrTexts },
    {
      key: 'gen_ai.response.tool_calls',
      to: 'fact.answer_calls',
      read: asCalls,
    },
    {
      key: 'gen_ai.request.available_tools',
      to: 'config.tools',
      read: asParsed,
    },
    { key: 'gen_ai.tool.input', to: 'fact.tool_arguments', read: asParsed },
    { key: 'gen_ai.tool.output', to: 'fact.tool_result', read: asParsed },
  ],
};
