import { asHistory, asOutputMessages } from './chat-readers.js';
import { asEntity, asFunctions, asIndexedMessages } from './openllmetry-readers.js';
import { asBoolean, asCount, asList, asNumber, asParsed, asText, byName, fromTable } from './readers.js';
import type { AttributeRule, Convention } from './rule.js';

const KIND_TYPES = byName({ chain: ['workflow', 'task', 'agent', 'session', 'handoff'], tool: ['tool'] });
const REQUEST_TYPES = byName({ model: ['chat', 'completion', 'embedding'], tool: ['rerank'] });
const SHAPES = byName({ embedding: ['embedding'], rerank: ['rerank'] });

const ENTITIES: readonly AttributeRule[] = [
  {
    key: 'traceloop.span.kind',
    to: 'metadata.span_kind',
    read: asText,
    also: [{ to: 'fact.type', order: 63, read: fromTable(KIND_TYPES) }],
  },
  {
    key: 'llm.request.type',
    to: 'metadata.request_type',
    read: asText,
    also: [
      // A call of a framework is a task of its workflow, too.
      { to: 'fact.type', order: 62, read: fromTable(REQUEST_TYPES) },
      { to: 'fact.shape', read: fromTable(SHAPES) },
    ],
  },
  {
    key: 'traceloop.entity.name',
    to: 'metadata.entity_name',
    read: asText,
  },
  {
    key: 'traceloop.entity.path',
    to: 'metadata.entity_path',
    read: asText,
  },
  {
    key: 'traceloop.entity.version',
    to: 'metadata.entity_version',
  },
  { key: 'traceloop.workflow.name', to: 'metadata.workflow_name', read: asText },
  {
    key: 'traceloop.entity.input',
    to: 'fact.input',
    read: asEntity,
    about: 'Truncated JSON stays text',
  },
  {
    key: 'traceloop.entity.output',
    to: 'fact.output',
    read: asEntity,
    about: 'Truncated JSON stays text',
  },
  { key: 'traceloop.prompt.key', to: 'config.prompt_name', read: asText },
  { key: 'traceloop.prompt.version', to: 'config.prompt_version' },
  {
    key: 'traceloop.prompt.version_name',
    to: 'metadata.prompt_version_name',
    read: asText,
  },
  {
    key: 'traceloop.prompt.version_hash',
    to: 'metadata.prompt_version_hash',
    read: asText,
  },
  { key: 'traceloop.prompt.template', to: 'config.template', read: asText },
  {
    key: 'traceloop.prompt.template_variables.*',
    to: 'inputs.variables',
    group: 'flat',
  },
];

const MESSAGES: readonly AttributeRule[] = [
  {
    key: 'gen_ai.prompt.*',
    to: 'fact.history',
    read: asIndexedMessages('user'),
    group: 'list',
  },
  {
    key: 'gen_ai.completion.*',
    to: 'fact.output_messages',
    read: asIndexedMessages('assistant'),
    group: 'list',
  },
  {
    key: 'gen_ai.prompt',
    to: 'fact.history',
    read: asHistory,
  },
  {
    key: 'gen_ai.completion',
    to: 'fact.output_messages',
    read: asOutputMessages,
  },
  {
    key: 'llm.request.functions.*',
    to: 'config.tools',
    read: asFunctions,
    group: 'list',
  },
];

const REQUEST: readonly AttributeRule[] = [
  {
    key: 'llm.is_streaming',
    to: 'config.stream',
    read: asBoolean,
  },
  {
    key: 'gen_ai.is_streaming',
    to: 'config.stream',
    read: asBoolean,
  },
  {
    key: 'llm.frequency_penalty',
    to: 'config.frequency_penalty',
    read: asNumber,
  },
  { key: 'llm.presence_penalty', to: 'config.presence_penalty', read: asNumber },
  { key: 'llm.top_k', to: 'config.top_k', read: asNumber },
  { key: 'llm.chat.stop_sequences', to: 'config.stop_sequences', read: asList },
  {
    key: 'gen_ai.request.reasoning_effort',
    to: 'config.reasoning_effort',
    read: asText,
  },
  {
    key: 'gen_ai.request.structured_output_schema',
    to: 'config.response_format',
    read: asParsed,
  },
  {
    key: 'llm.response.finish_reason',
    to: 'metadata.finish_reasons',
    read: asList,
  },
  {
    key: 'llm.response.stop_reason',
    to: 'metadata.finish_reasons',
    read: asList,
  },
  {
    key: 'gen_ai.openai.system_fingerprint',
    to: 'metadata.system_fingerprint',
    read: asText,
  },
];

const USAGE: readonly AttributeRule[] = [
  { key: 'llm.usage.total_tokens', to: 'usage.total', read: asCount },
  {
    key: 'gen_ai.usage.cache_read_input_tokens',
    to: 'usage.cache_read',
    read: asCount,
  },
  {
    key: 'gen_ai.usage.cache_creation_input_tokens',
    to: 'usage.cache_write',
    read: asCount,
  },
  {
    key: 'gen_ai.usage.cache_write_input_tokens',
    to: 'usage.cache_write',
    read: asCount,
  },
  {
    key: 'gen_ai.usage.reasoning_tokens',
    to: 'usage.reasoning',
    read: asCount,
  },
  {
    key: 'llm.usage.reasoning_tokens',
    to: 'usage.reasoning',
    read: asCount,
  },
];

export const openLlmetry: Convention = {
  name: 'openllmetry',
  title: 'OpenLLMetry (Traceloop)',
  precedence: 5,
  always: true,
  detectors: ['traceloop.*', 'gen_ai.prompt.*', 'gen_ai.completion.*', 'llm.request.type'],
  rules: [...ENTITIES, ...MESSAGES, ...REQUEST, ...USAGE],
};
