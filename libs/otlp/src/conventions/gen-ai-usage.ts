import { asCount, asList, asMilliseconds, asNumber, asText } from './readers.js';
import type { AttributeRule } from './rule.js';

export const RESPONSE: readonly AttributeRule[] = [
  { key: 'gen_ai.response.id', to: 'metadata.response_id', read: asText },
  {
    key: 'gen_ai.response.finish_reasons',
    to: 'metadata.finish_reasons',
    read: asList,
  },
  {
    key: 'gen_ai.response.time_to_first_chunk',
    to: 'metadata.time_to_first_token_ms',
    read: asMilliseconds,
    about: 'Seconds on the wire',
  },
  {
    key: 'gen_ai.client.operation.time_to_first_chunk',
    to: 'metadata.time_to_first_token_ms',
    read: asMilliseconds,
    about: 'Seconds on the wire',
  },
  {
    key: 'openai.response.service_tier',
    to: 'metadata.service_tier',
    read: asText,
  },
  {
    key: 'openai.response.system_fingerprint',
    to: 'metadata.system_fingerprint',
    read: asText,
  },
  {
    key: 'gen_ai.openai.response.service_tier',
    to: 'metadata.service_tier',
    read: asText,
  },
  {
    key: 'gen_ai.openai.response.system_fingerprint',
    to: 'metadata.system_fingerprint',
    read: asText,
  },
  { key: 'openai.api.type', to: 'metadata.api_type', read: asText },
];

const MODALITIES = ['text', 'image', 'audio', 'video'].flatMap((modality): AttributeRule[] => [
  {
    key: `gen_ai.usage.${modality}.input_tokens`,
    to: `usage_details.${modality}_input`,
    read: asCount,
  },
  {
    key: `gen_ai.usage.${modality}.output_tokens`,
    to: `usage_details.${modality}_output`,
    read: asCount,
  },
  {
    key: `gen_ai.usage.${modality}.cache_read.input_tokens`,
    to: `usage_details.${modality}_cache_read_input`,
    read: asCount,
  },
]);

export const USAGE: readonly AttributeRule[] = [
  {
    key: 'gen_ai.usage.input_tokens',
    to: 'usage.input',
    read: asCount,
  },
  {
    key: 'gen_ai.usage.output_tokens',
    to: 'usage.output',
    read: asCount,
  },
  { key: 'gen_ai.usage.total_tokens', to: 'usage.total', read: asCount },
  {
    key: 'gen_ai.usage.cache_read.input_tokens',
    to: 'usage.cache_read',
    read: asCount,
  },
  {
    key: 'gen_ai.usage.cache_write.input_tokens',
    to: 'usage.cache_write',
    read: asCount,
  },
  {
    key: 'gen_ai.usage.cache_creation.input_tokens',
    to: 'usage.cache_write',
    read: asCount,
  },
  {
    key: 'gen_ai.usage.reasoning.output_tokens',
    to: 'usage.reasoning',
    read: asCount,
  },
  { key: 'gen_ai.usage.prompt_tokens', to: 'usage.input', read: asCount },
  { key: 'gen_ai.usage.completion_tokens', to: 'usage.output', read: asCount },
  { key: 'gen_ai.usage.cost', to: 'fact.cost', order: 30, read: asNumber },
  ...MODALITIES,
];
