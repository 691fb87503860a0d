import { asHistory } from './chat-readers.js';
import { asProvider } from './providers.js';
import { asCount, asKey, asList, asNumber, asParsed, asTags, asText, byName, fromTable } from './readers.js';
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
    about: 'Event type',
  },
  {
    key: 'operation.name',
    to: 'fact.type',
    order: 62,
    read: (value) => typeOf(operationOf(value)),
    keep: true,
    about: 'Event type',
  },
  { key: 'ai.model.id', to: 'config.model', read: asText, about: 'Model' },
  {
    key: 'ai.model.provider',
    to: 'config.provider',
    read: asProvider,
    also: [{ to: 'metadata.system', read: asText }],
    about: 'Provider',
  },
  {
    key: 'ai.telemetry.functionId',
    to: 'metadata.function_id',
    read: asText,
    about: 'Name that the caller gives the call',
  },
  { key: 'resource.name', to: 'metadata.function_id', read: asText, about: 'The same' },
];

const CALLER = ['ai.telemetry.metadata', 'ai.settings.context', 'ai.settings.runtimeContext'].flatMap(
  (prefix): AttributeRule[] => [
    { key: `${prefix}.sessionId`, to: 'fact.session', order: 60, read: asKey, about: 'Session' },
    { key: `${prefix}.session_id`, to: 'fact.session', order: 61, read: asKey, about: 'Session' },
    { key: `${prefix}.threadId`, to: 'fact.session', order: 62, read: asKey, about: 'Session' },
    { key: `${prefix}.userId`, to: 'user_properties.user_id', order: 70, read: asKey, about: 'User' },
    {
      key: `${prefix}.sessionName`,
      to: 'fact.session_name',
      order: 20,
      read: asText,
      about: 'Name of the session',
    },
    { key: `${prefix}.tags`, to: 'metadata.tags', read: asTags, about: 'Tags' },
    { key: `${prefix}.*`, to: 'metadata.*', group: 'flat', about: 'Anything else that the caller tells' },
  ],
);

const CONTENT: readonly AttributeRule[] = [
  { key: 'ai.prompt.messages', to: 'fact.history', read: asHistory, about: 'Input messages' },
  {
    key: 'ai.prompt',
    to: 'event',
    read: asPrompt,
    about: 'System text, prompt or messages of an outer span',
  },
  { key: 'ai.prompt.tools', to: 'config.tools', read: asJsonItems, about: 'Tools that the model may call' },
  {
    key: 'ai.prompt.toolChoice',
    to: 'config.tool_choice',
    read: asParsed,
    about: 'Which tool the model must call',
  },
  { key: 'ai.response.text', to: 'fact.answer_text', read: asText, about: 'Response text' },
  { key: 'ai.result.text', to: 'fact.answer_text', read: asText, about: 'Older name' },
  {
    key: 'ai.response.toolCalls',
    to: 'fact.answer_calls',
    read: asCalls,
    about: 'Tool calls in the response',
  },
  { key: 'ai.result.toolCalls', to: 'fact.answer_calls', read: asCalls, about: 'Older name' },
  { key: 'ai.response.reasoning', to: 'fact.answer_reasoning', read: asText, about: 'Reasoning' },
  { key: 'ai.response.object', to: 'event', read: asGeneratedObject, about: 'Object that the model made' },
  { key: 'ai.result.object', to: 'event', read: asGeneratedObject, about: 'Older name' },
  { key: 'ai.response.files', to: 'outputs.files', read: asParsed, about: 'Files that the model made' },
  {
    key: 'ai.toolCall.name',
    to: 'metadata.tool_name',
    read: asText,
    also: [
      { to: 'fact.event_name', order: 20, read: asText },
      { to: 'fact.tool_evidence', read: asText },
    ],
    about: 'Tool; names the event',
  },
  { key: 'ai.toolCall.id', to: 'metadata.tool_call_id', read: asText, about: 'Tool call' },
  { key: 'ai.toolCall.args', to: 'fact.tool_arguments', read: asParsed, about: 'Inputs of a tool' },
  { key: 'ai.toolCall.result', to: 'fact.tool_result', read: asParsed, about: 'Outputs of a tool' },
  { key: 'ai.value', to: 'inputs.input', read: asEmbedded, about: 'Text to embed' },
  { key: 'ai.values', to: 'inputs.input', read: asEmbedded, about: 'Texts to embed' },
  {
    key: 'ai.embedding',
    to: 'outputs.embeddings',
    read: (value) => [asParsed(value) ?? null],
    about: 'Vector',
  },
  { key: 'ai.embeddings', to: 'outputs.embeddings', read: asJsonItems, about: 'Vectors' },
  { key: 'ai.documents', to: 'inputs.documents', read: asJsonItems, about: 'Documents to rerank' },
  { key: 'ai.ranking', to: 'outputs.documents', read: asJsonItems, about: 'Reranked documents' },
];

const RESPONSE: readonly AttributeRule[] = [
  {
    key: 'ai.response.finishReason',
    to: 'metadata.finish_reasons',
    read: asList,
    about: 'Finish reason',
  },
  { key: 'ai.finishReason', to: 'metadata.finish_reasons', read: asList, about: 'Older name' },
  { key: 'ai.response.id', to: 'metadata.response_id', read: asText, about: 'Id of the response' },
  {
    key: 'ai.response.model',
    to: 'metadata.response_model',
    read: asText,
    also: [{ to: 'config.model', order: LAST_RESORT, read: asText }],
    about: 'Model that answered',
  },
  { key: 'ai.response.timestamp', to: 'metadata.response_timestamp', about: 'Time of the response' },
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
    about: 'Milliseconds to the first chunk',
  },
  {
    key: 'ai.response.msToFinish',
    to: 'metadata.time_to_finish_ms',
    read: asNumber,
    about: 'Milliseconds to the last chunk',
  },
  {
    key: 'ai.response.avgOutputTokensPerSecond',
    to: 'metadata.output_tokens_per_second',
    read: asNumber,
    about: 'Speed',
  },
  {
    key: 'ai.response.avgCompletionTokensPerSecond',
    to: 'metadata.output_tokens_per_second',
    read: asNumber,
    about: 'Speed',
  },
];

const USAGE: readonly AttributeRule[] = [
  { key: 'ai.usage.inputTokens', to: 'usage.input', read: asCount, about: 'Input tokens' },
  { key: 'ai.usage.promptTokens', to: 'usage.input', read: asCount, about: 'Older name' },
  { key: 'ai.usage.tokens', to: 'usage.input', read: asCount, about: 'Tokens of an embedding' },
  { key: 'ai.usage.outputTokens', to: 'usage.output', read: asCount, about: 'Output tokens' },
  { key: 'ai.usage.completionTokens', to: 'usage.output', read: asCount, about: 'Older name' },
  { key: 'ai.usage.totalTokens', to: 'usage.total', read: asCount, about: 'All tokens' },
  {
    key: 'ai.usage.outputTokenDetails.reasoningTokens',
    to: 'usage.reasoning',
    read: asCount,
    about: 'Reasoning tokens',
  },
  { key: 'ai.usage.reasoningTokens', to: 'usage.reasoning', read: asCount, about: 'Older name' },
  {
    key: 'ai.usage.inputTokenDetails.cacheReadTokens',
    to: 'usage.cache_read',
    read: asCount,
    about: 'Input tokens read from a cache',
  },
  { key: 'ai.usage.cachedInputTokens', to: 'usage.cache_read', read: asCount, about: 'Older name' },
  {
    key: 'ai.usage.inputTokenDetails.cacheWriteTokens',
    to: 'usage.cache_write',
    read: asCount,
    about: 'Input tokens written to a cache',
  },
  {
    key: 'ai.usage.inputTokenDetails.noCacheTokens',
    to: 'usage_details.no_cache_input',
    read: asCount,
    about: 'Input tokens outside the cache',
  },
  {
    key: 'ai.usage.outputTokenDetails.textTokens',
    to: 'usage_details.text_output',
    read: asCount,
    about: 'Output tokens of text',
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
  about: 'Setting of the call',
}));

export const vercel: Convention = {
  name: 'vercel',
  title: 'Vercel AI SDK',
  precedence: 6,
  always: false,
  detectors: ['ai.*'],
  rules: [...IDENTITY, ...CALLER, ...CONTENT, ...RESPONSE, ...USAGE, ...SETTINGS],
};
