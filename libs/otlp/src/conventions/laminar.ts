import { asJson, asKey, asTags, asText, byName, fromTable } from './readers.js';
import type { Convention } from './rule.js';

/** `DEFAULT` says nothing of a span. */
const LAMINAR_TYPES = byName({
  model: ['llm', 'cached'],
  tool: ['tool', 'evaluator', 'human_evaluator'],
  chain: ['pipeline', 'executor', 'evaluation'],
});

export const laminar: Convention = {
  name: 'laminar',
  title: 'Laminar',
  precedence: 30,
  always: true,
  detectors: ['lmnr.*'],
  rules: [
    {
      key: 'lmnr.span.type',
      to: 'metadata.span_type',
      read: asText,
      also: [{ to: 'fact.type', order: 65, read: fromTable(LAMINAR_TYPES) }],
      about: '`DEFAULT` decides nothing',
    },
    { key: 'lmnr.span.input', to: 'fact.input', read: asJson },
    { key: 'lmnr.span.output', to: 'fact.output', read: asJson },
    {
      key: 'lmnr.association.properties.session_id',
      to: 'fact.session',
      order: 78,
      read: asKey,
    },
    {
      key: 'lmnr.association.properties.user_id',
      to: 'user_properties.user_id',
      order: 76,
      read: asKey,
    },
    { key: 'lmnr.association.properties.tags', to: 'metadata.tags', read: asTags },
    {
      key: 'lmnr.association.properties.metadata.*',
      to: 'metadata.*',
      group: 'flat',
    },
  ],
};
