import { asEntity } from './openllmetry-readers.js';
import { asTags, asText, byName, fromTable, memberOfKinds } from './readers.js';
import type { Convention } from './rule.js';

const AGENTOPS_TYPES = byName({
  model: ['llm', 'text'],
  tool: ['tool', 'guardrail', 'http'],
  chain: ['session', 'workflow', 'task', 'operation', 'agent', 'chain', 'team'],
});

export const agentOps: Convention = {
  name: 'agentops',
  title: 'AgentOps',
  precedence: 32,
  always: true,
  detectors: ['agentops.*'],
  rules: [
    {
      key: 'agentops.span.kind',
      to: 'metadata.span_kind',
      read: asText,
      also: [{ to: 'fact.type', order: 69, read: fromTable(AGENTOPS_TYPES) }],
    },
    {
      key: 'agentops.entity.name',
      to: 'metadata.entity_name',
      read: asText,
    },
    { key: 'agentops.entity.input', to: 'fact.input', read: asEntity },
    { key: 'agentops.entity.output', to: 'fact.output', read: asEntity },
    { key: 'agentops.tags', to: 'metadata.tags', read: asTags },
    {
      key: 'agentops.*',
      to: 'fact.input',
      read: memberOfKinds('input'),
      also: [{ to: 'fact.output', read: memberOfKinds('output') }],
      partial: true,
      about: 'Inputs and outputs, as `agentops.<kind>.input`; other attributes keep their key',
    },
  ],
};
