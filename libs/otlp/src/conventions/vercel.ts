import { asHistory } from './chat-readers.js';
import { asProvider } from './providers.js';
import {
  asCount,
  asKey,
  asList,
  asNumber,
  asParsed,
  asTags,
  asText,
  asUnquoted,
  byName,
  fromTable,
} from './readers.js';
import { LAST_RESORT, type AttributeRule, type Convention } from './rule.js';
import {
  asCalls,
  asEmbedded,
  asGeneratedObject,
  asJsonItems,
  asPrompt,
  asProviderMetadata,
  operationOf,
} from './vercel-readers.js';

/** Outer spans aggregate their inner spans: they are chain events although they carry a model and usage. */
const OPERATION_TYPES = byName({
  model: [
    'ai.generatetext.dogenerate',
    'ai.streamtext.dostream',
    'ai.generateobject.dogenerate',
    'ai.streamobject.dostream',
    'ai.embed.doembed',
    'ai.embedmany.doembed',
  ],
  chain: [
    'ai.generatetext',
    'ai.streamtext',
    'ai.generateobject',
    'ai.streamobject',
    'ai.harness',
    'ai.workflowagent.stream',
    'ai.embed',
    'ai.embedmany',
    'ai.rerank',
  ],
  tool: ['ai.rerank.dorerank', 'ai.toolcall'],
});
const typeOf = fromTable(OPERATION_TYPES);

const IDENTITY: readonly AttributeRule[] = [
  {
    key: 'ai.operationId',
    to: 'metadata.operation_id',
    read: asText,
    also: [{ to: 'fact.type', order: 61, read: typeOf }],
  },
  {
    key: 'operation.name',
    to: 'fact.type',
    order: 62,
    read: (value) => typeOf(operationOf(value)),
    keep: true,
  },
  { key: 'ai.model.id', to: 'config.model', read: asText },
  {
    key: 'ai.model.provider',
    to: 'config.provider',
    read: asProvider,
    also: [{ to: 'metadata.system', read: asText }],
  },
  {
    key: 'ai.telemetry.functionId',
    to: 'metadata.function_id',
    read: asText,
  },
  { key: 'resource.name', to: 'metadata.function_id', read: asText },
];

const CALLER = ['ai.telemetry.metadata', 'ai.settings.context', 'ai.settings.runtimeContext'].flatMap(
  (prefix): AttributeRule[] => [
    { key: `${prefix}.sessionId`, to: 'fact.session', order: 60, read: asKey },
    { key: `${prefix}.session_id`, to: 'fact.session', order: 61, read: asKey },
    { key: `${prefix}.threadId`, to: 'fact.session', order: 62, read: asKey },
    { key: `${prefix}.userId`, to: 'user_properties.user_id', order: 70, read: asKey },
    {
      key: `${prefix}.sessionName`,
      to: 'fact.session_name',
      order: 20,
      read: asText,
    },
    { key: `${prefix}.tags`, to: 'metadata.tags', read: asTags },
    { key: `${prefix}.*`, to: 'metadata.*', group: 'flat' },
  ],
);

const CONTENT: readonly AttributeRule[] = [
  { key: 'ai.prompt.messages', to: 'fact.history', read: asHistory },
  {
    key: 'ai.prompt',
    to: 'event',
    read: asPrompt,
    about: 'System text, prompt or messages of an outer span',
  },
  { key: 'ai.prompt.tools', to: 'config.tools', read: asJsonItems },
  {
    key: 'ai.prompt.toolChoice',
    to: 'config.tool_choice',
    read: asParsed,
  },
  { key: 'ai.response.text', to: 'fact.answer_text', read: asText },
  { key: 'ai.result.text', to: 'fact.answer_text', read: asText },
  {
    key: 'ai.response.toolCalls',
    to: 'fact.answer_calls',
    read: asCalls,
  },
  { key: 'ai.result.toolCalls', to: 'fact.answer_calls', read: asCalls },
  { key: 'ai.response.reasoning', to: 'fact.answer_reasoning', read: asText },
  { key: 'ai.response.object', to: 'event', read: asGeneratedObject },
  { key: 'ai.result.object', to: 'event', read: asGeneratedObject },
  { key: 'ai.response.files', to: 'outputs.files', read: asParsed },
  {
    key: 'ai.toolCall.name',
    to: 'metadata.tool_name',
    read: asText,
    also: [
      { to: 'fact.event_name', order: 20, read: asText },
      { to: 'fact.tool_evidence', read: asText },
    ],
  },
  { key: 'ai.toolCall.id', to: 'metadata.tool_call_id', read: asText },
  { key: 'ai.toolCall.args', to: 'fact.tool_arguments', read: asUnquoted },
  { key: 'ai.toolCall.result', to: 'fact.tool_result', read: asUnquoted },
  { key: 'ai.value', to: 'inputs.input', read: asEmbedded },
  { key: 'ai.values', to: 'inputs.input', read: asEmbedded },
  {
    key: 'ai.embedding',
    to: 'outputs.embeddings',
    read: (value) => [asParsed(value) ?? null],
  },
  { key: 'ai.embeddings', to: 'outputs.embeddings', read: asJsonItems },
  { key: 'ai.documents', to: 'inputs.documents', read: asJsonItems },
  { key: 'ai.ranking', to: 'outputs.documents', read: asJsonItems },
];

const RESPONSE: readonly AttributeRule[] = [
  {
    key: 'ai.response.finishReason',
    to: 'metadata.finish_reasons',
    read: asList,
  },
  { key: 'ai.finishReason', to: 'metadata.finish_reasons', read: asList },
  { key: 'ai.response.id', to: 'metadata.response_id', read: asText },
  {
    key: 'ai.response.model',
    to: 'metadata.response_model',
    read: asText,
    also: [{ to: 'config.model', order: LAST_RESORT, read: asText }],
  },
  { key: 'ai.response.timestamp', to: 'metadata.response_timestamp' },
  {
    key: 'ai.response.providerMetadata',
    to: 'event',
    read: asProviderMetadata,
    about: 'What the provider adds, the cost among it',
  },
  {
    key: 'ai.response.msToFirstChunk',
    to: 'metadata.time_to_first_token_ms',
    read: asNumber,
  },
  {
    key: 'ai.response.msToFinish',
    to: 'metadata.time_to_finish_ms',
    read: asNumber,
  },
  {
    key: 'ai.response.avgOutputTokensPerSecond',
    to: 'metadata.output_tokens_per_second',
    read: asNumber,
  },
  {
    key: 'ai.response.avgCompletionTokensPerSecond',
    to: 'metadata.output_tokens_per_second',
    read: asNumber,
  },
];

const USAGE: readonly AttributeRule[] = [
  { key: 'ai.usage.inputTokens', to: 'usage.input', read: asCount },
  { key: 'ai.usage.promptTokens', to: 'usage.input', read: asCount },
  { key: 'ai.usage.tokens', to: 'usage.input', read: asCount },
  { key: 'ai.usage.outputTokens', to: 'usage.output', read: asCount },
  { key: 'ai.usage.completionTokens', to: 'usage.output', read: asCount },
  { key: 'ai.usage.totalTokens', to: 'usage.total', read: asCount },
  {
    key: 'ai.usage.outputTokenDetails.reasoningTokens',
    to: 'usage.reasoning',
    read: asCount,
  },
  { key: 'ai.usage.reasoningTokens', to: 'usage.reasoning', read: asCount },
  {
    key: 'ai.usage.inputTokenDetails.cacheReadTokens',
    to: 'usage.cache_read',
    read: asCount,
  },
  { key: 'ai.usage.cachedInputTokens', to: 'usage.cache_read', read: asCount },
  {
    key: 'ai.usage.inputTokenDetails.cacheWriteTokens',
    to: 'usage.cache_write',
    read: asCount,
  },
  {
    key: 'ai.usage.inputTokenDetails.noCacheTokens',
    to: 'usage_details.no_cache_input',
    read: asCount,
  },
  {
    key: 'ai.usage.outputTokenDetails.textTokens',
    to: 'usage_details.text_output',
    read: asCount,
  },
];

const SETTINGS = (
  [
    ['temperature', 'temperature'],
    ['maxOutputTokens', 'max_tokens'],
    ['maxTokens', 'max_tokens'],
    ['topP', 'top_p'],
    ['topK', 'top_k'],
    ['frequencyPenalty', 'frequency_penalty'],
    ['presencePenalty', 'presence_penalty'],
    ['stopSequences', 'stop_sequences'],
    ['seed', 'seed'],
    ['maxRetries', 'max_retries'],
    ['maxSteps', 'max_steps'],
    ['output', 'output'],
  ] as const
).map(([setting, key]): AttributeRule => ({
  key: `ai.settings.${setting}`,
  to: `config.${key}`,
  read: asParsed,
}));

export const vercel: Convention = {
  name: 'vercel',
  title: 'Vercel AI SDK',
  precedence: 6,
  always: false,
  detectors: ['ai.*'],
  rules: [...IDENTITY, ...CALLER, ...CONTENT, ...RESPONSE, ...USAGE, ...SETTINGS],
};
