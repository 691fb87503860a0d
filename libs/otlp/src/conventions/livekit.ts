import { asHistory, asOutputMessages } from './chat-readers.js';
import { asParsed, asText } from './readers.js';
import type { Convention } from './rule.js';

export const liveKit: Convention = {
  name: 'livekit',
  title: 'LiveKit Agents',
  precedence: 19,
  always: true,
  detectors: ['lk.*'],
  rules: [
    { key: 'lk.input_text', to: 'fact.input', read: asText },
    { key: 'lk.user_transcript', to: 'fact.input', read: asText },
    { key: 'lk.user_input', to: 'fact.input', read: asText },
    { key: 'lk.chat_ctx', to: 'fact.history', read: asHistory },
    { key: 'lk.function_tool.output', to: 'fact.output', read: asParsed },
    { key: 'lk.response.text', to: 'fact.output_messages', read: asOutputMessages },
  ],
};
