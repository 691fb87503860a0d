import { CALL_SYNONYMS } from './call-synonyms.js';
import { asCount, asMilliseconds, asNumber } from './readers.js';
import type { AttributeRule, Convention, Reader, Target } from './rule.js';
import { asUsageObject } from './usage-object.js';

/** Nanoseconds as milliseconds. */
const fromNanoseconds: Reader = (value) => {
  const nanoseconds = asNumber(value);
  return nanoseconds === undefined ? undefined : nanoseconds / 1_000_000;
};

/** Other keys of one fact that a convention has, with the reader that knows their unit. */
interface Synonyms {
  readonly to: Target;
  readonly read: Reader;
  readonly about?: string;
  readonly keys: readonly string[];
}

const SYNONYMS: readonly Synonyms[] = [
  {
    to: 'metadata.time_to_first_token_ms',
    read: asMilliseconds,
    about: 'Seconds on the wire',
    keys: [
      'gen_ai.latency.time_to_first_token',
      'gen_ai.client.time_to_first_token',
      'gen_ai.client.operation.time_to_first_token',
      'gen_ai.usage.time_to_first_token',
      'llm.latency.time_to_first_token',
      'llm.time_to_first_token',
      'gen_ai.server.ttft',
      'gen_ai.time_to_first_token',
      'gen_ai.performance.time_to_first_token',
      'gen_ai.streaming.time_to_first_token',
      'llm.streaming.time_to_first_token',
    ],
  },
  {
    to: 'metadata.time_to_first_token_ms',
    read: fromNanoseconds,
    about: 'Nanoseconds on the wire',
    keys: ['gen_ai.response.time_to_first_token', 'gen_ai.user.time_to_first_token'],
  },
  {
    to: 'metadata.time_to_first_token_ms',
    read: asNumber,
    keys: [
      'gen_ai.time_to_first_token_ms',
      'llm.time_to_first_token_ms',
      'gen_ai.server.ttft_ms',
      'gen_ai.ttft_ms',
    ],
  },
  {
    to: 'metadata.time_in_queue_ms',
    read: asMilliseconds,
    about: 'Seconds on the wire',
    keys: ['gen_ai.latency.time_in_queue'],
  },
  {
    to: 'metadata.server_request_duration_ms',
    read: asMilliseconds,
    about: 'Seconds on the wire',
    keys: ['gen_ai.latency.e2e'],
  },
  {
    to: 'usage.cache_read',
    read: asCount,
    keys: [
      'gen_ai.usage.input_tokens.cached',
      'gen_ai.usage.input_tokens.cache_read',
      'gen_ai.usage.cached_input_tokens',
      'gen_ai.usage.input_cached_tokens',
      'gen_ai.usage.cached_tokens',
      'gen_ai.usage.cache_read_tokens',
      'gen_ai.usage.prompt_tokens_details.cached_tokens',
      'gen_ai.usage.input_tokens_details.cached_tokens',
      'gen_ai.usage.input_token_details.cache_read',
      'gen_ai.usage.prompt_tokens.cached',
      'llm.usage.cache_read_input_tokens',
      'llm.usage.cached_tokens',
    ],
  },
  {
    to: 'usage.cache_write',
    read: asCount,
    keys: [
      'gen_ai.usage.input_tokens.cache_write',
      'gen_ai.usage.input_tokens.cache_creation',
      'gen_ai.usage.cache_write_tokens',
      'gen_ai.usage.cache_creation_tokens',
      'gen_ai.usage.input_token_details.cache_creation',
      'llm.usage.cache_creation_input_tokens',
    ],
  },
  {
    to: 'usage.reasoning',
    read: asCount,
    keys: [
      'gen_ai.usage.output_tokens.reasoning',
      'gen_ai.usage.output_reasoning_tokens',
      'gen_ai.usage.reasoning_output_tokens',
      'gen_ai.usage.thoughts_tokens',
      'gen_ai.usage.completion_tokens_details.reasoning_tokens',
      'gen_ai.usage.output_tokens_details.reasoning_tokens',
      'gen_ai.usage.output_token_details.reasoning',
      'gen_ai.usage.completion_tokens.reasoning',
    ],
  },
  {
    to: 'usage.tool_use',
    read: asCount,
    keys: ['gen_ai.usage.tool_use_prompt_tokens', 'gen_ai.usage.tool_use_tokens'],
  },
  {
    to: 'usage.input',
    read: asCount,
    keys: ['llm.usage.prompt_tokens', 'llm.usage.input_tokens'],
  },
  {
    to: 'usage.output',
    read: asCount,
    keys: ['llm.usage.completion_tokens', 'llm.usage.output_tokens'],
  },
];

/** Attributes that hold all token counts of a call. */
const USAGE_OBJECTS = ['gen_ai.usage', 'gen_ai.response.usage', 'llm.usage', 'langfuse.observation.usage'];

/** Spellings of times and counts that gateways, servers and SDKs use, in one table for every convention. */
export const synonyms: Convention = {
  name: 'synonyms',
  title: 'Other spellings of times, token counts, costs and contents',
  precedence: 28,
  always: true,
  detectors: [],
  rules: [
    ...SYNONYMS.flatMap(({ keys, to, read, about }): AttributeRule[] =>
      keys.map((key) => ({ key, to, read, ...(about !== undefined && { about }) })),
    ),
    ...USAGE_OBJECTS.map((key): AttributeRule => ({
      key,
      to: 'event',
      read: asUsageObject,
    })),
    ...CALL_SYNONYMS,
  ],
};
