import { asKey, asList, asNumber, asParsed, asText, asUnquoted, byName, fromTable } from './readers.js';
import type { Convention } from './rule.js';

const KIND_TYPES = byName({ chain: ['chat_client', 'advisor'], tool: ['tool_call', 'vector_store'] });

export const springAi: Convention = {
  name: 'spring-ai',
  title: 'Spring AI',
  precedence: 27,
  always: true,
  detectors: ['spring.ai.*'],
  rules: [
    {
      key: 'spring.ai.kind',
      to: 'metadata.span_kind',
      read: asText,
      also: [{ to: 'fact.type', order: 61, read: fromTable(KIND_TYPES) }],
    },
    {
      key: 'spring.ai.chat.client.conversation.id',
      to: 'fact.session',
      order: 78,
      read: asKey,
    },
    { key: 'spring.ai.tool.definition.name', to: 'metadata.tool_name', read: asText },
    {
      key: 'spring.ai.tool.definition.description',
      to: 'metadata.tool_description',
      read: asText,
    },
    {
      key: 'spring.ai.tool.definition.schema',
      to: 'config.tool_parameters',
      read: asParsed,
    },
    { key: 'spring.ai.tool.type', to: 'metadata.tool_type', read: asText },
    { key: 'spring.ai.tool.call.id', to: 'metadata.tool_call_id', read: asText },
    {
      key: 'spring.ai.tool.call.arguments',
      to: 'fact.tool_arguments',
      read: asParsed,
    },
    { key: 'spring.ai.tool.call.result', to: 'fact.tool_result', read: asUnquoted },
    { key: 'db.vector.query.content', to: 'inputs.query', read: asText },
    { key: 'db.vector.query.top_k', to: 'config.top_k', read: asNumber },
    { key: 'db.vector.query.response.documents', to: 'outputs.documents', read: asList },
    { key: 'spring.ai.chat.client.user.text', to: 'fact.input', read: asText },
    {
      key: 'spring.ai.chat.client.system.text',
      to: 'fact.instructions',
      read: asText,
    },
  ],
};
