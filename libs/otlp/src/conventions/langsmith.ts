import { asFirm, asKey, asTags, asText, byName, fromTable } from './readers.js';
import type { Convention } from './rule.js';
import { asUsageObject } from './usage-object.js';

const KIND_TYPES = byName({
  model: ['llm', 'embedding'],
  chain: ['chain', 'parser'],
  tool: ['tool', 'retriever', 'prompt'],
});
const SHAPES = byName({ embedding: ['embedding'], retrieval: ['retriever'] });

export const langsmith: Convention = {
  name: 'langsmith',
  title: 'LangSmith',
  precedence: 9,
  always: true,
  detectors: ['langsmith.*'],
  rules: [
    {
      key: 'langsmith.span.kind',
      to: 'metadata.span_kind',
      read: asText,
      also: [
        { to: 'fact.type', order: 60, read: fromTable(KIND_TYPES) },
        { to: 'fact.shape', read: fromTable(SHAPES) },
        { to: 'fact.exceptions_fail', read: asFirm },
      ],
      about: 'An exception is a failure of the run, also with status OK',
    },
    {
      key: 'langsmith.trace.name',
      to: 'metadata.trace_name',
      read: asText,
      also: [{ to: 'fact.session_name', order: 40, read: asText }],
    },
    { key: 'langsmith.metadata.session_id', to: 'fact.session', order: 50, read: asKey },
    { key: 'langsmith.metadata.thread_id', to: 'fact.session', order: 51, read: asKey },
    {
      key: 'langsmith.metadata.conversation_id',
      to: 'fact.session',
      order: 52,
      read: asKey,
    },
    {
      key: 'langsmith.metadata.user_id',
      to: 'user_properties.user_id',
      order: 80,
      read: asKey,
    },
    {
      key: 'langsmith.metadata.usage_metadata',
      to: 'event',
      read: asUsageObject,
    },
    { key: 'langsmith.metadata.*', to: 'metadata.*', group: 'flat' },
    { key: 'langsmith.span.tags', to: 'metadata.tags', read: asTags },
  ],
};
