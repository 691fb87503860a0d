import { asText, byName, fromTable } from './readers.js';
import type { Convention } from './rule.js';

const AG2_TYPES = byName({ chain: ['conversation', 'agent', 'handoff'], model: ['llm'], tool: ['tool'] });

export const ag2: Convention = {
  name: 'ag2',
  title: 'AG2',
  precedence: 16,
  always: true,
  detectors: ['ag2.*'],
  rules: [
    {
      key: 'ag2.span.type',
      to: 'metadata.span_type',
      read: asText,
      also: [{ to: 'fact.type', order: 64, read: fromTable(AG2_TYPES) }],
    },
  ],
};
