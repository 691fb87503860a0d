import type { JsonValue } from '@assay/domain';
import { parsed } from '../json/parse-json.js';
import { asHistory } from './chat-readers.js';
import { asBoolean, asParsed, asText, asUnquoted, byName, fromTable } from './readers.js';
import type { Convention } from './rule.js';
import { asCalls } from './vercel-readers.js';

const OPERATION_TYPES = byName({
  model: [
    'gen_ai.chat',
    'gen_ai.generate_content',
    'gen_ai.embeddings',
    'gen_ai.responses',
    'gen_ai.text_completion',
  ],
  chain: ['gen_ai.invoke_agent', 'gen_ai.create_agent', 'gen_ai.handoff'],
  tool: ['gen_ai.execute_tool'],
});

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
    {
      key: 'sentry.op',
      to: 'fact.type',
      order: 72,
      read: fromTable(OPERATION_TYPES),
      keep: true,
      about: 'Event type of `gen_ai.<operation>`',
    },
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
    { key: 'gen_ai.response.streaming', to: 'config.stream', read: asBoolean },
    { key: 'gen_ai.tool.input', to: 'fact.tool_arguments', read: asUnquoted },
    { key: 'gen_ai.tool.output', to: 'fact.tool_result', read: asUnquoted },
  ],
};
