import { asText, asUnquoted, byName, fromTable } from './readers.js';
import type { Convention } from './rule.js';

const GENKIT_TYPES = byName({
  model: ['model', 'embedder'],
  tool: ['tool', 'retriever', 'evaluator'],
  chain: ['flow'],
});

export const genkit: Convention = {
  name: 'genkit',
  title: 'Genkit',
  precedence: 17,
  always: true,
  detectors: ['genkit:name'],
  rules: [
    {
      key: 'genkit:metadata:subtype',
      to: 'metadata.span_type',
      read: asText,
      also: [{ to: 'fact.type', order: 66, read: fromTable(GENKIT_TYPES) }],
    },
    { key: 'genkit:input', to: 'fact.input', read: asUnquoted },
    { key: 'genkit:output', to: 'fact.output', read: asUnquoted },
    { key: 'genkit:name', to: 'metadata.entity_name', read: asText },
    {
      key: 'genkit:state',
      to: 'metadata.state',
      also: [{ to: 'fact.failed', read: (value) => (value === 'error' ? true : undefined) }],
    },
  ],
};
