import {
  asAnswerFacts,
  asDocuments,
  asEmbeddings,
  asMessages,
  asParameterMessages,
  asParameters,
  asProviderOfModel,
  asTexts,
  asThread,
  asTools,
  asEvaluations,
} from './openinference-readers.js';
import { asHistory } from './chat-readers.js';
import { asFramework, asOtherSpelling, asProvider } from './providers.js';
import { asList, asNumber, asObject, asParsed, asTags, asText, byName, fromTable } from './readers.js';
import { LAST_RESORT, type AttributeRule, type Convention } from './rule.js';
import { USAGE } from './openinference-usage.js';

const KIND_TYPES = byName({
  model: ['llm', 'embedding'],
  chain: ['chain', 'agent', 'decision'],
  tool: ['tool', 'retriever', 'reranker', 'guardrail', 'evaluator', 'prompt'],
});
const SHAPES = byName({ embedding: ['embedding'], retrieval: ['retriever'], rerank: ['reranker'] });

const MODEL: readonly AttributeRule[] = [
  {
    key: 'openinference.span.kind',
    to: 'metadata.span_kind',
    read: asText,
    also: [
      { to: 'fact.type', order: 40, read: fromTable(KIND_TYPES) },
      { to: 'fact.shape', read: fromTable(SHAPES) },
    ],
  },
  { key: 'llm.request.model_name', to: 'config.model', read: asText },
  {
    key: 'llm.response.model_name',
    to: 'metadata.response_model',
    read: asText,
    also: [{ to: 'config.model', order: LAST_RESORT, read: asText }],
  },
  {
    key: 'llm.model_name',
    to: 'config.model',
    read: asText,
    also: [{ to: 'metadata.response_model', read: asText }],
  },
  {
    key: 'llm.provider',
    to: 'config.provider',
    read: asProvider,
    also: [
      { to: 'metadata.system', read: asOtherSpelling },
      { to: 'config.framework', read: asFramework },
    ],
    about: 'Host of the model',
  },
  {
    key: 'llm.system',
    to: 'metadata.system',
    read: asText,
    also: [
      { to: 'config.provider', read: asProvider },
      { to: 'config.framework', read: asFramework },
    ],
    about: 'Model vendor',
  },
  {
    key: 'llm.invocation_parameters',
    to: 'config.*',
    read: asParameters,
    also: [{ to: 'fact.history', order: LAST_RESORT, read: asParameterMessages }],
  },
  {
    key: 'llm.tools.*',
    to: 'config.tools',
    read: asTools,
    group: 'list',
    partial: true,
  },
  { key: 'llm.finish_reason', to: 'metadata.finish_reasons', read: asList },
  {
    key: 'llm.prompt_template.template',
    to: 'config.template',
    read: asText,
  },
  {
    key: 'llm.prompt_template.variables',
    to: 'inputs.variables',
    read: asParsed,
  },
  { key: 'llm.prompt_template.version', to: 'config.prompt_version' },
];

const CONTENT: readonly AttributeRule[] = [
  {
    key: 'llm.input_messages.*',
    to: 'fact.history',
    read: asMessages('user'),
    group: 'list',
  },
  {
    key: 'llm.output_messages.*',
    to: 'fact.output_messages',
    read: asMessages('assistant'),
    group: 'list',
  },
  {
    key: 'llm.prompts',
    to: 'fact.history',
    read: asHistory,
  },
  {
    key: 'llm.prompts.*',
    to: 'fact.history',
    read: asTexts('prompt', 'user'),
    group: 'list',
    partial: true,
  },
  {
    key: 'llm.choices.*',
    to: 'fact.output_messages',
    read: asTexts('completion', 'assistant'),
    group: 'list',
    partial: true,
  },
  {
    key: 'output.value',
    to: 'event',
    order: LAST_RESORT,
    read: asAnswerFacts,
    about: 'Fields found only in the complete model response: its id',
  },
  {
    key: 'retrieval.documents.*',
    to: 'outputs.documents',
    read: asDocuments,
    group: 'list',
  },
  { key: 'reranker.query', to: 'inputs.query', read: asText },
  { key: 'reranker.model_name', to: 'config.model', read: asText },
  { key: 'reranker.top_k', to: 'config.top_k', read: asNumber },
  {
    key: 'reranker.input_documents.*',
    to: 'inputs.documents',
    read: asDocuments,
    group: 'list',
  },
  {
    key: 'reranker.output_documents.*',
    to: 'outputs.documents',
    read: asDocuments,
    group: 'list',
  },
  { key: 'embedding.model_name', to: 'config.model', read: asText },
  {
    key: 'embedding.invocation_parameters',
    to: 'config.*',
    read: asParameters,
    also: [{ to: 'fact.history', order: LAST_RESORT, read: asParameterMessages }],
  },
  {
    key: 'embedding.embeddings.*',
    to: 'event',
    read: asEmbeddings,
    group: 'list',
  },
];

const TOOLS: readonly AttributeRule[] = [
  {
    key: 'tool.name',
    to: 'metadata.tool_name',
    read: asText,
    also: [{ to: 'fact.tool_evidence', read: asText }],
  },
  { key: 'tool.description', to: 'metadata.tool_description', read: asText },
  { key: 'tool.id', to: 'metadata.tool_id', read: asText },
  {
    key: 'tool.parameters',
    to: 'config.tool_parameters',
    read: asParsed,
    about: 'Schema of the arguments, not the arguments',
  },
  { key: 'tool.json_schema', to: 'config.tool_json_schema', read: asParsed },
  { key: 'tool_call.id', to: 'metadata.tool_call_id', read: asText },
  { key: 'tool_call.function.name', to: 'metadata.tool_name', read: asText },
  {
    key: 'tool_call.function.arguments',
    to: 'fact.tool_arguments',
    read: asParsed,
  },
  { key: 'agent.name', to: 'metadata.agent_name', read: asText },
  { key: 'graph.node.id', to: 'metadata.graph_node_id', read: asText },
  { key: 'graph.node.name', to: 'metadata.graph_node_name', read: asText },
  {
    key: 'graph.node.parent_id',
    to: 'metadata.graph_node_parent_id',
    read: asText,
  },
  { key: 'prompt.vendor', to: 'metadata.prompt_vendor', read: asText },
  { key: 'prompt.id', to: 'metadata.prompt_id', read: asText },
  { key: 'prompt.url', to: 'metadata.prompt_url', read: asText },
];

const DATA: readonly AttributeRule[] = [
  {
    key: 'metadata',
    to: 'metadata.*',
    read: asObject,
    also: [
      { to: 'fact.session', order: 93, read: asThread },
      { to: 'config.provider', read: asProviderOfModel },
    ],
  },
  { key: 'tag.tags', to: 'metadata.tags', read: asTags },
  {
    key: 'evaluations.*',
    to: 'event',
    read: asEvaluations('evaluation'),
    group: 'list',
    about: 'Verdicts as metrics',
  },
  {
    key: 'annotations.*',
    to: 'event',
    read: asEvaluations('annotation'),
    group: 'list',
    about: 'Evaluations as metrics, human evaluations as feedback',
  },
];

export const openInference: Convention = {
  name: 'openinference',
  title: 'OpenInference',
  precedence: 4,
  always: false,
  detectors: [
    'openinference.span.kind',
    'llm.input_messages.*',
    'llm.output_messages.*',
    'llm.token_count.*',
    'llm.cost.*',
    'llm.model_name',
    'llm.request.model_name',
    'llm.response.model_name',
    'llm.provider',
    'llm.system',
    'llm.invocation_parameters',
    'llm.tools.*',
    'llm.prompts',
    'llm.prompts.*',
    'llm.choices.*',
    'llm.prompt_template.template',
    'retrieval.documents.*',
    'reranker.*',
    'embedding.model_name',
    'embedding.embeddings.*',
    'input.mime_type',
    'output.mime_type',
    'tool.name',
    'tag.tags',
    'evaluations.*',
    'annotations.*',
  ],
  rules: [...MODEL, ...CONTENT, ...USAGE, ...TOOLS, ...DATA],
};
