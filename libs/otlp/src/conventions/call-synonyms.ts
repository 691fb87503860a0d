import { isJsonObject, type JsonValue } from '@assay/domain';
import { parsed } from '../json/parse-json.js';
import { asHistory, asOutputMessages } from './chat-readers.js';
import { asProvider } from './providers.js';
import {
  asCount,
  asKey,
  asList,
  asNumber,
  asParsed,
  asText,
  asUnquoted,
  byName,
  fromTable,
} from './readers.js';
import { LAST_RESORT, type AttributeRule } from './rule.js';

/** Keys of one fact, with what their rules share. */
type Synonyms = Omit<AttributeRule, 'key'> & { readonly keys: readonly string[] };

const LANGWATCH_TYPES = byName({
  model: ['llm'],
  tool: ['tool', 'rag', 'guardrail', 'evaluation'],
  chain: ['chain', 'agent', 'workflow', 'component', 'module', 'server', 'task'],
});

/** The value of `{type, value}`; other values as they are. */
function asTyped(value: JsonValue): JsonValue {
  const typed = parsed(value);
  return isJsonObject(typed) && typeof typed['type'] === 'string' && typed['value'] !== undefined
    ? parsed(typed['value'])
    : typed;
}

/** Costs in US dollars; Sentry's `gen_ai.cost.…_tokens` are costs of tokens. */
const COSTS: readonly Synonyms[] = [
  {
    to: 'fact.cost',
    order: 55,
    read: asNumber,
    keys: [
      ...['gen_ai.usage.total_cost', 'gen_ai.usage.cost.total', 'gen_ai.usage.cost_usd'],
      ...['gen_ai.usage.total_cost_usd', 'gen_ai.cost.total', 'gen_ai.cost.usd', 'gen_ai.cost.total_usd'],
      ...['gen_ai.cost.total_tokens', 'gen_ai.cost.amount', 'gen_ai.cost'],
      ...[
        'llm.usage.cost',
        'llm.usage.total_cost',
        'llm.usage.cost_usd',
        'ai.total_cost',
        'langwatch.cost.usd',
      ],
    ],
  },
  {
    to: 'cost_details.prompt',
    read: asNumber,
    keys: [
      ...['gen_ai.usage.input_cost', 'gen_ai.usage.prompt_cost', 'gen_ai.usage.cost.input'],
      ...['gen_ai.usage.cost.prompt', 'gen_ai.cost.input', 'gen_ai.cost.input_usd'],
      ...['gen_ai.cost.input_tokens', 'llm.usage.input_cost', 'llm.usage.prompt_cost'],
    ],
  },
  {
    to: 'cost_details.completion',
    read: asNumber,
    keys: [
      ...['gen_ai.usage.output_cost', 'gen_ai.usage.completion_cost', 'gen_ai.usage.cost.output'],
      ...['gen_ai.usage.cost.completion', 'gen_ai.cost.output', 'gen_ai.cost.output_usd'],
      ...['gen_ai.cost.output_tokens', 'llm.usage.output_cost', 'llm.usage.completion_cost'],
    ],
  },
  ...(['cache_read', 'cache_write', 'reasoning'] as const).map((part): Synonyms => ({
    to: `cost_details.${part}`,
    read: asNumber,
    keys: [`gen_ai.usage.cost.${part}`],
  })),
];

const COUNTS: readonly Synonyms[] = [
  {
    to: 'usage.cache_read',
    read: asCount,
    keys: [
      ...['gen_ai.usage.prompt_cached_tokens', 'gen_ai.usage.prompt_cache_hit_tokens'],
      ...['gen_ai.usage.cached_content_tokens', 'llm.usage.cache_read_tokens'],
      ...['gen_ai.usage.prompt_tokens_details.cache_read', 'gen_ai.usage.prompt_details.cached_tokens'],
      'gen_ai.usage.experimental.cached_tokens',
    ],
  },
  {
    to: 'usage.cache_write',
    read: asCount,
    keys: [
      ...['gen_ai.usage.cache_create_input_tokens', 'gen_ai.usage.prompt_cache_creation_tokens'],
      ...['llm.usage.cache_creation_tokens', 'llm.usage.cache_write_tokens'],
      ...['gen_ai.usage.prompt_tokens_details.cache_write', 'llm.token_count.prompt_details.cache_creation'],
    ],
  },
  {
    to: 'usage.reasoning',
    read: asCount,
    keys: [
      ...['gen_ai.usage.thinking_tokens', 'llm.usage.thinking_tokens'],
      ...['gen_ai.usage.completion_tokens_details.reasoning', 'gen_ai.usage.completion_details.reasoning'],
      'gen_ai.usage.completion_details.reasoning_tokens',
      'gen_ai.usage.experimental.reasoning_tokens',
    ],
  },
  {
    to: 'usage_details.audio_input',
    read: asCount,
    keys: [
      'gen_ai.usage.audio_input_tokens',
      'gen_ai.usage.input_audio_tokens',
      'gen_ai.usage.input_tokens.audio',
      'gen_ai.usage.prompt_tokens_details.audio',
    ],
  },
  {
    to: 'usage_details.audio_output',
    read: asCount,
    keys: [
      'gen_ai.usage.audio_output_tokens',
      'gen_ai.usage.output_audio_tokens',
      'gen_ai.usage.output_tokens.audio',
      'gen_ai.usage.completion_tokens_details.audio',
    ],
  },
  { to: 'usage.input', read: asCount, keys: ['ai.prompt_tokens.used', 'gen_ai.response.prompt_tokens'] },
  {
    to: 'usage.output',
    read: asCount,
    keys: ['ai.completion_tokens.used', 'gen_ai.response.completion_tokens'],
  },
  { to: 'usage.total', read: asCount, keys: ['ai.total_tokens.used'] },
];

const CONTENT: readonly Synonyms[] = [
  {
    to: 'fact.history',
    read: asHistory,
    keys: [
      ...['gen_ai.agent.invocation_input', 'ai.input_messages'],
      ...['gen_ai.request.prompt', 'gen_ai.request.prompts'],
    ],
  },
  {
    to: 'fact.output_messages',
    read: asOutputMessages,
    keys: ['gen_ai.agent.invocation_output', 'ai.responses'],
  },
  {
    to: 'fact.answer_text',
    read: asText,
    keys: ['gen_ai.output.text', 'gen_ai.response.content', 'gen_ai.response.completion'],
  },
  {
    to: 'fact.answer_reasoning',
    read: asText,
    keys: ['gen_ai.response.thinking', 'gen_ai.response.reasoning'],
  },
  {
    to: 'fact.tool_arguments',
    read: asUnquoted,
    keys: ['gen_ai.tool.args', 'gen_ai.tool.arguments', 'gen_ai.tool.call.input'],
  },
  {
    to: 'fact.tool_result',
    read: asUnquoted,
    keys: [
      ...['gen_ai.tool.result', 'gen_ai.tool.response'],
      ...['gen_ai.tool.call.output', 'gen_ai.tool.call.response'],
    ],
  },
  {
    to: 'fact.input',
    read: asParsed,
    keys: [
      'haystack.component.input',
      'haystack.pipeline.input_data',
      'haystack.agent.input',
      'gen_ai.input',
    ],
  },
  {
    to: 'fact.output',
    read: asParsed,
    keys: [
      ...['haystack.component.output', 'haystack.pipeline.output_data', 'haystack.agent.output'],
      ...['gen_ai.output', 'weave.output'],
    ],
  },
];

const TYPED: readonly Synonyms[] = (['input', 'output'] as const).map((name) => ({
  to: `fact.${name}`,
  read: asTyped,
  partial: true,
  about: 'The value of an object with its type',
  keys: [`langwatch.${name}`],
}));

const CALL: readonly Synonyms[] = [
  {
    to: 'config.model',
    order: LAST_RESORT,
    read: asText,
    keys: ['llm.request.model', 'gen_ai.model', 'ai.model_id'],
  },
  {
    to: 'metadata.response_model',
    read: asText,
    also: [{ to: 'config.model', order: LAST_RESORT, read: asText }],
    keys: ['llm.response.model'],
  },
  { to: 'config.provider', read: asProvider, keys: ['llm.vendor'] },
  {
    to: 'metadata.finish_reasons',
    read: asList,
    keys: ['gen_ai.response.stop_reason', 'gen_ai.finish_reason', 'ai.finish_reason'],
  },
  {
    to: 'metadata.error_type',
    read: asText,
    also: [{ to: 'fact.error_type', read: asText }],
    about: 'Error type; marks a failure if the status is unset',
    keys: ['gen_ai.error.type'],
  },
  {
    to: 'fact.error_message',
    read: asText,
    keep: true,
    about: 'Error text if the status has none',
    keys: ['gen_ai.error.message'],
  },
  {
    to: 'fact.session',
    order: 93,
    read: asKey,
    keep: true,
    keys: ['gen_ai.thread.id', 'wandb.thread_id'],
  },
  { to: 'fact.session', order: 79, read: asKey, keys: ['langwatch.thread.id'] },
  {
    to: 'user_properties.user_id',
    order: 77,
    read: asKey,
    keys: ['langwatch.user.id'],
  },
  {
    to: 'metadata.span_type',
    read: asText,
    also: [{ to: 'fact.type', order: 71, read: fromTable(LANGWATCH_TYPES) }],
    about: '`span` decides nothing',
    keys: ['langwatch.span.type'],
  },
];

/** Other spellings of costs, counts, contents and facts of a call that SDKs, gateways and platforms use. */
export const CALL_SYNONYMS: readonly AttributeRule[] = [
  ...COSTS,
  ...COUNTS,
  ...CONTENT,
  ...TYPED,
  ...CALL,
].flatMap(({ keys, ...shared }) => keys.map((key): AttributeRule => ({ key, ...shared })));
