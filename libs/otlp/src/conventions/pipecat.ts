import { asHistory, asOutputMessages } from './chat-readers.js';
import { asBoolean, asKey, asMilliseconds, asParsed, asText } from './readers.js';
import type { Convention } from './rule.js';

/** Short keys of voice pipelines, which other spans may use for something else. */
export const pipecat: Convention = {
  name: 'pipecat',
  title: 'Pipecat',
  precedence: 23,
  always: false,
  detectors: [
    ...[
      'metrics.ttfb',
      'metrics.character_count',
      'conversation.type',
      'turn.number',
      'turn.was_interrupted',
    ],
    ...[
      'tools.definitions',
      'output_modality',
      'vad_enabled',
      'voice_id',
      'tool.function_name',
      'tool_count',
    ],
  ],
  rules: [
    { key: 'conversation.id', to: 'fact.session', order: 77, read: asKey },
    {
      key: 'metrics.ttfb',
      to: 'metadata.time_to_first_token_ms',
      read: asMilliseconds,
      about: 'Seconds on the wire',
    },
    { key: 'transcript', to: 'fact.output', read: asText },
    { key: 'text', to: 'fact.input', read: asText },
    { key: 'input', to: 'fact.history', read: asHistory },
    { key: 'output', to: 'fact.output_messages', read: asOutputMessages },
    { key: 'tools', to: 'config.tools', read: asParsed },
    { key: 'tools.definitions', to: 'config.tools', read: asParsed },
    { key: 'system', to: 'fact.instructions', read: asText },
    { key: 'system_instruction', to: 'fact.instructions', read: asText },
    { key: 'stream', to: 'config.stream', read: asBoolean },
    {
      key: 'tool.function_name',
      to: 'metadata.tool_name',
      read: asText,
      also: [{ to: 'fact.tool_evidence', read: asText }],
    },
    { key: 'tool.call_id', to: 'metadata.tool_call_id', read: asText },
    { key: 'tool.arguments', to: 'fact.tool_arguments', read: asParsed },
    { key: 'tool.result', to: 'fact.tool_result', read: asParsed },
    { key: 'voice_id', to: 'config.voice', read: asText },
    { key: 'language', to: 'config.language', read: asText },
  ],
};
