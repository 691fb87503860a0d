import { asKey, asParsed, asTags, asText, byName, fromTable, memberOfKinds } from './readers.js';
import type { Convention } from './rule.js';

const MASTRA_TYPES = byName({
  model: ['model_generation', 'llm_generation'],
  tool: ['tool_call', 'mcp_tool_call'],
  chain: [
    'model_step',
    'model_chunk',
    'llm_chunk',
    'agent_run',
    'processor_run',
    'workflow_run',
    'workflow_step',
    'workflow_conditional',
    'workflow_conditional_eval',
    'workflow_parallel',
    'workflow_loop',
    'workflow_sleep',
    'workflow_wait_event',
    'generic',
  ],
});

export const mastra: Convention = {
  name: 'mastra',
  title: 'Mastra',
  precedence: 15,
  always: true,
  detectors: ['mastra.*'],
  rules: [
    {
      key: 'mastra.span.type',
      to: 'metadata.span_type',
      read: asText,
      also: [{ to: 'fact.type', order: 45, read: fromTable(MASTRA_TYPES) }],
      about: 'Steps and chunks of a generation are chains',
    },
    { key: 'mastra.input', to: 'fact.input', read: asParsed },
    { key: 'mastra.output', to: 'fact.output', read: asParsed },
    {
      key: 'mastra.*',
      to: 'fact.input',
      read: memberOfKinds('input'),
      also: [{ to: 'fact.output', read: memberOfKinds('output') }],
      partial: true,
      about: 'Inputs and outputs, as `mastra.<type>.input`; other attributes keep their key',
    },
    { key: 'mastra.metadata.sessionId', to: 'fact.session', order: 76, read: asKey },
    {
      key: 'mastra.metadata.threadId',
      to: 'fact.session',
      order: 77,
      read: asKey,
      keep: true,
    },
    { key: 'mastra.metadata.userId', to: 'user_properties.user_id', order: 75, read: asKey },
    {
      key: 'mastra.metadata.resourceId',
      to: 'user_properties.user_id',
      order: 96,
      read: asKey,
      keep: true,
      about: 'Owner of the thread; the user if no other attribute names one',
    },
    { key: 'mastra.metadata.*', to: 'metadata.*', group: 'flat' },
    { key: 'mastra.tags', to: 'metadata.tags', read: asTags },
  ],
};
