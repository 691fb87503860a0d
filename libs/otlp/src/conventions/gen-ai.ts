import { asHistory, asInstructions, asOutputMessages } from './chat-readers.js';
import { asEvaluation } from './evaluation.js';
import { OPERATION_SHAPES, OPERATION_TYPES } from './operation-types.js';
import { asFramework, asOtherSpelling, asProvider } from './providers.js';
import {
  asBoolean,
  asCount,
  asKey,
  asList,
  asNumber,
  asParsed,
  asPresentText,
  asText,
  asUnquoted,
  fromTable,
} from './readers.js';
import { LAST_RESORT, type AttributeRule, type Convention } from './rule.js';
import { RESPONSE, USAGE } from './gen-ai-usage.js';

const REQUEST: readonly AttributeRule[] = [
  { key: 'gen_ai.request.model', to: 'config.model', read: asText },
  {
    key: 'gen_ai.response.model',
    to: 'metadata.response_model',
    read: asText,
    also: [{ to: 'config.model', order: LAST_RESORT, read: asText }],
  },
  {
    key: 'gen_ai.request.temperature',
    to: 'config.temperature',
    read: asNumber,
  },
  { key: 'gen_ai.request.top_p', to: 'config.top_p', read: asNumber },
  { key: 'gen_ai.request.top_k', to: 'config.top_k', read: asNumber },
  {
    key: 'gen_ai.request.max_tokens',
    to: 'config.max_tokens',
    read: asNumber,
  },
  {
    key: 'gen_ai.request.frequency_penalty',
    to: 'config.frequency_penalty',
    read: asNumber,
  },
  {
    key: 'gen_ai.request.presence_penalty',
    to: 'config.presence_penalty',
    read: asNumber,
  },
  { key: 'gen_ai.request.seed', to: 'config.seed' },
  {
    key: 'gen_ai.request.stop_sequences',
    to: 'config.stop_sequences',
    read: asList,
  },
  { key: 'gen_ai.request.choice.count', to: 'config.n', read: asNumber },
  {
    key: 'gen_ai.request.stream',
    to: 'config.stream',
    read: asBoolean,
  },
  {
    key: 'gen_ai.request.encoding_formats',
    to: 'config.encoding_formats',
    read: asList,
  },
  {
    key: 'gen_ai.request.reasoning.level',
    to: 'config.reasoning_effort',
    read: asText,
  },
  {
    key: 'gen_ai.request.previous_response.id',
    to: 'config.previous_response_id',
    read: asText,
  },
  {
    key: 'gen_ai.embeddings.dimension.count',
    to: 'config.dimensions',
    read: asCount,
  },
  {
    key: 'gen_ai.output.type',
    to: 'config.output_type',
    read: asText,
  },
  {
    key: 'gen_ai.tool.definitions',
    to: 'config.tools',
    read: asParsed,
  },
  { key: 'gen_ai.prompt.name', to: 'config.prompt_name', read: asText },
  { key: 'gen_ai.prompt.version', to: 'config.prompt_version' },
  {
    key: 'openai.request.service_tier',
    to: 'config.service_tier',
    read: asText,
  },
  { key: 'gen_ai.openai.request.seed', to: 'config.seed' },
  {
    key: 'gen_ai.openai.request.response_format',
    to: 'config.response_format',
    read: asParsed,
  },
  { key: 'gen_ai.openai.request.service_tier', to: 'config.service_tier', read: asText },
  {
    key: 'gen_ai.retrieval.top_k',
    to: 'config.top_k',
    read: asNumber,
  },
];

const CONTENT: readonly AttributeRule[] = [
  { key: 'gen_ai.input.messages', to: 'fact.history', read: asHistory },
  {
    key: 'gen_ai.output.messages',
    to: 'fact.output_messages',
    read: asOutputMessages,
  },
  {
    key: 'gen_ai.system_instructions',
    to: 'fact.instructions',
    read: asInstructions,
  },
  { key: 'gen_ai.retrieval.query.text', to: 'inputs.query', read: asText },
  {
    key: 'gen_ai.retrieval.documents',
    to: 'outputs.documents',
    read: asList,
  },
  {
    key: 'gen_ai.memory.query.text',
    to: 'inputs.query',
    read: asText,
  },
  {
    key: 'gen_ai.memory.records',
    to: 'fact.memory_records',
    read: asList,
    about: 'Records of a memory: outputs of a search, inputs of a change',
  },
  { key: 'gen_ai.tool.call.arguments', to: 'fact.tool_arguments', read: asUnquoted },
  { key: 'gen_ai.tool.call.result', to: 'fact.tool_result', read: asUnquoted },
];

const IDENTITY: readonly AttributeRule[] = [
  {
    key: 'gen_ai.operation.name',
    to: 'fact.type',
    order: 50,
    read: fromTable(OPERATION_TYPES),
    also: [
      { to: 'metadata.operation_name', read: asText },
      { to: 'fact.shape', read: fromTable(OPERATION_SHAPES) },
      { to: 'fact.failed', read: (value) => (value === 'agent_error' ? true : undefined) },
    ],
  },
  {
    key: 'gen_ai.provider.name',
    to: 'config.provider',
    read: asProvider,
    also: [
      { to: 'metadata.system', read: asOtherSpelling },
      { to: 'config.framework', read: asFramework },
    ],
  },
  {
    key: 'gen_ai.system',
    to: 'metadata.system',
    read: asText,
    also: [
      { to: 'config.provider', read: asProvider },
      { to: 'config.framework', read: asFramework },
    ],
  },
  {
    key: 'gen_ai.conversation.id',
    to: 'metadata.conversation_id',
    read: asText,
    also: [{ to: 'fact.session', order: 80, read: asKey }],
    about: 'The session id if no other attribute sets one',
  },
  { key: 'gen_ai.agent.id', to: 'metadata.agent_id', read: asText },
  { key: 'gen_ai.agent.name', to: 'metadata.agent_name', read: asText },
  { key: 'gen_ai.agent.description', to: 'metadata.agent_description', read: asText },
  { key: 'gen_ai.agent.version', to: 'metadata.agent_version', read: asText },
  { key: 'gen_ai.workflow.name', to: 'metadata.workflow_name', read: asText },
  { key: 'gen_ai.data_source.id', to: 'metadata.data_source_id', read: asText },
  {
    key: 'gen_ai.tool.name',
    to: 'metadata.tool_name',
    read: asText,
    also: [{ to: 'fact.tool_evidence', read: asText }],
  },
  {
    key: 'gen_ai.tool.call.id',
    to: 'metadata.tool_call_id',
    read: asPresentText,
    also: [{ to: 'fact.tool_evidence', read: asPresentText }],
  },
  {
    key: 'gen_ai.evaluation.*',
    to: 'event',
    group: 'flat',
    read: asEvaluation,
    about:
      'An evaluation: score, else label, under its name; also stored on the session if `scope` is `session` or `trace`',
  },
  { key: 'gen_ai.tool.type', to: 'metadata.tool_type', read: asText },
  { key: 'gen_ai.tool.description', to: 'metadata.tool_description', read: asText },
];

export const genAi: Convention = {
  name: 'gen-ai',
  title: 'OpenTelemetry GenAI semantic conventions (current form)',
  precedence: 3,
  always: true,
  detectors: ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.system'],
  rules: [...IDENTITY, ...REQUEST, ...RESPONSE, ...USAGE, ...CONTENT],
};

/** Span event that carries attributes of these conventions instead of the span. */
export const DETAILS_EVENT = 'gen_ai.client.inference.operation.details';
