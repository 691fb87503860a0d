import { asKey, asList, asNumber, asText, byName, fromTable } from './readers.js';
import { LAST_RESORT, type Convention } from './rule.js';

const KIND_TYPES = byName({
  model: ['llm', 'embedding'],
  chain: ['chain', 'agent', 'task', 'step', 'entry', 'workflow'],
  tool: ['tool', 'retriever', 'reranker', 'memory', 'guardrail'],
});
const SHAPES = byName({ embedding: ['embedding'], retrieval: ['retriever'], rerank: ['reranker'] });

/** Attributes beside the GenAI conventions, as the distributions of Alibaba Cloud and platforms such as Dify send them. */
export const spanKinds: Convention = {
  name: 'span-kinds',
  title: 'GenAI span kinds (Dify, Alibaba Cloud, LoongSuite)',
  precedence: 25,
  always: true,
  detectors: ['gen_ai.span.kind', 'gen_ai.framework'],
  rules: [
    {
      key: 'gen_ai.span.kind',
      to: 'metadata.span_kind',
      read: asText,
      also: [
        { to: 'fact.type', order: 62, read: fromTable(KIND_TYPES) },
        { to: 'fact.shape', read: fromTable(SHAPES) },
      ],
    },
    { key: 'gen_ai.framework', to: 'config.framework', read: asText },
    { key: 'gen_ai.session.id', to: 'fact.session', order: 76, read: asKey },
    { key: 'gen_ai.user.id', to: 'user_properties.user_id', order: 70, read: asKey },
    { key: 'gen_ai.model_name', to: 'config.model', order: LAST_RESORT, read: asText },
    {
      key: 'gen_ai.response.finish_reason',
      to: 'metadata.finish_reasons',
      read: asList,
    },
    { key: 'retrieval.query', to: 'inputs.query', read: asText },
    { key: 'retrieval.document', to: 'outputs.documents', read: asList },
    { key: 'gen_ai.request.n', to: 'config.n', read: asNumber },
  ],
};
