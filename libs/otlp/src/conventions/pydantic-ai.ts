import {
  asAgentEvents,
  asAgentMessages,
  asErrorText,
  asMessageEvents,
  asRequestParameters,
} from './pydantic-ai-readers.js';
import { asCount, asFirm, asNumber, asParsed, asTags, asText } from './readers.js';
import { LAST_RESORT, type Convention } from './rule.js';

/** Placeholder exported when a span starts. It has its own ids and is not stored as an event. */
export const PENDING_SPAN = { key: 'logfire.span_type', value: 'pending_span' } as const;

export const pydanticAi: Convention = {
  name: 'pydantic-ai',
  title: 'Pydantic AI and Logfire',
  precedence: 10,
  always: false,
  detectors: [
    'logfire.*',
    'pydantic_ai.*',
    'all_messages_events',
    'model_request_parameters',
    'model_name',
    'tool_arguments',
    'gen_ai.aggregated_usage.*',
    'gen_ai.usage.details.*',
    'gen_ai.tools',
    'operation.cost',
  ],
  rules: [
    {
      key: 'logfire.msg',
      to: 'metadata.message',
      read: asText,
      about: 'Message of the span; its name stays the event name',
    },
    { key: 'logfire.tags', to: 'metadata.tags', read: asTags },
    {
      key: 'logfire.msg_template',
      to: 'fact.type',
      order: 66,
      read: (value) => (typeof value === 'string' && value.startsWith('Function: ') ? 'tool' : undefined),
      keep: true,
      about: 'A function of an agent is a tool',
    },
    {
      key: 'error',
      to: 'fact.error_message',
      order: 25,
      read: asErrorText,
      keep: true,
      about: 'Error text of a failure, also as `message` of an object',
    },
    {
      key: 'events',
      to: 'event',
      read: asMessageEvents,
      cut: true,
      about: 'Messages and choices of a model (version 1)',
    },
    {
      key: 'all_messages_events',
      to: 'event',
      read: asAgentEvents,
      cut: true,
      also: [
        { to: 'fact.weak_chain', read: (value) => (Array.isArray(asParsed(value)) ? 'firm' : undefined) },
      ],
      about: 'Messages of an agent (version 1)',
    },
    { key: 'pydantic_ai.all_messages', to: 'event', read: asAgentMessages, about: 'Messages of an agent' },
    { key: 'final_result', to: 'fact.agent_result', read: asParsed },
    {
      key: 'model_request_parameters',
      to: 'event',
      read: asRequestParameters,
      partial: true,
    },
    {
      key: 'agent_name',
      to: 'metadata.agent_name',
      read: asText,
      also: [{ to: 'fact.weak_chain', read: asFirm }],
      about: 'Agent; its span names a model and is a step nevertheless',
    },
    { key: 'model_name', to: 'config.model', order: LAST_RESORT, read: asText },
    {
      key: 'tool_arguments',
      to: 'fact.tool_arguments',
      read: asParsed,
      also: [{ to: 'fact.tool_evidence', read: () => 'tool_arguments' }],
    },
    { key: 'tool_response', to: 'fact.tool_result', read: asParsed },
    { key: 'gen_ai.tools', to: 'config.tools', read: asParsed },
    {
      key: 'gen_ai.usage.details.reasoning_tokens',
      to: 'usage.reasoning',
      read: asCount,
    },
    {
      key: 'gen_ai.usage.details.cache_read_input_tokens',
      to: 'usage.cache_read',
      read: asCount,
    },
    {
      key: 'gen_ai.usage.details.cache_read_tokens',
      to: 'usage.cache_read',
      read: asCount,
    },
    {
      key: 'gen_ai.usage.details.cache_write_tokens',
      to: 'usage.cache_write',
      read: asCount,
    },
    {
      key: 'gen_ai.usage.details.cache_creation_input_tokens',
      to: 'usage.cache_write',
      read: asCount,
    },
    { key: 'gen_ai.usage.details.*', to: 'usage_details.*', group: 'flat' },
    {
      key: 'gen_ai.aggregated_usage.input_tokens',
      to: 'usage.input',
      read: asCount,
    },
    {
      key: 'gen_ai.aggregated_usage.output_tokens',
      to: 'usage.output',
      read: asCount,
    },
    { key: 'operation.cost', to: 'fact.cost', order: 50, read: asNumber },
  ],
};
