import { isJsonObject, setOwn, type JsonObject, type JsonValue } from '@assay/domain';
import { parsed } from '../json/parse-json.js';
import { asProvider } from './providers.js';
import { asJson, asMilliseconds, asObject, asParsed, asTags, asText, byName, fromTable } from './readers.js';
import type { Convention } from './rule.js';
import { asUsageObject } from './usage-object.js';

const BRAINTRUST_TYPES = byName({
  model: ['llm'],
  tool: ['tool', 'function', 'function_call', 'score', 'retrieval'],
  chain: ['task', 'eval', 'automation', 'preprocessor', 'facet', 'classifier'],
});
const typeOf = fromTable(BRAINTRUST_TYPES);

/** Parameters of a call among the metadata, which hold anything. */
const PARAMETERS = new Set([
  ...['temperature', 'max_tokens', 'max_completion_tokens', 'top_p', 'top_k', 'frequency_penalty'],
  ...['presence_penalty', 'seed', 'stop', 'n', 'stream', 'tools', 'tool_choice', 'response_format'],
  ...['reasoning', 'reasoning_effort', 'parallel_tool_calls', 'service_tier'],
]);

/** `{type, name?}`. */
function asSpanAttributes(value: JsonValue): JsonValue | undefined {
  const attributes = parsed(value);
  if (!isJsonObject(attributes)) return undefined;
  const { type = null, ...others } = attributes;
  return {
    'fact.type': typeOf(type) ?? null,
    'metadata.span_type': asText(type) ?? null,
    'metadata.span_attributes': others,
  };
}

/** Model, provider and parameters of a call, and metadata. */
function asMetadata(value: JsonValue): JsonValue | undefined {
  const metadata = parsed(value);
  if (!isJsonObject(metadata)) return undefined;
  const targets: JsonObject = {};
  const others: JsonObject = {};
  for (const [key, item] of Object.entries(metadata)) {
    if (key === 'model' && typeof item === 'string') targets['config.model'] = item;
    else if (key === 'provider') targets['config.provider'] = asProvider(item) ?? item;
    else if (PARAMETERS.has(key)) targets[`config.${key}`] = item;
    else setOwn(others, key, item);
  }
  return { ...targets, 'metadata.*': others };
}

/** Counts, a time in seconds and a cost. */
function asMetrics(value: JsonValue): JsonValue | undefined {
  const metrics = parsed(value);
  if (!isJsonObject(metrics)) return undefined;
  const { tokens, time_to_first_token: first = null, estimated_cost: cost = null, ...counts } = metrics;
  const milliseconds = asMilliseconds(first);
  return {
    ...asUsageObject(tokens === undefined ? counts : { ...counts, total_tokens: tokens }),
    'metadata.time_to_first_token_ms': milliseconds ?? null,
    ...(milliseconds === undefined && { 'metadata.time_to_first_token': first }),
    ...(typeof cost === 'number' ? { 'fact.cost': cost } : { 'cost_details.estimated_cost': cost }),
  };
}

export const braintrust: Convention = {
  name: 'braintrust',
  title: 'Braintrust',
  precedence: 31,
  always: true,
  detectors: ['braintrust.*'],
  rules: [
    {
      key: 'braintrust.span_attributes',
      to: 'event',
      order: 66,
      read: asSpanAttributes,
    },
    {
      key: 'braintrust.span_attributes.type',
      to: 'metadata.span_type',
      read: asText,
      also: [{ to: 'fact.type', order: 66, read: typeOf }],
    },
    { key: 'braintrust.input_json', to: 'fact.input', read: asJson },
    { key: 'braintrust.input', to: 'fact.input', read: asParsed },
    { key: 'braintrust.output_json', to: 'fact.output', read: asJson },
    { key: 'braintrust.output', to: 'fact.output', read: asParsed },
    {
      key: 'braintrust.metadata',
      to: 'event',
      read: asMetadata,
      about: 'Model, provider and parameters of a call; metadata',
    },
    { key: 'braintrust.metadata.*', to: 'event', read: asMetadata },
    {
      key: 'braintrust.metrics',
      to: 'event',
      read: asMetrics,
      about: 'Token counts, time to the first token (seconds on the wire) and cost',
    },
    { key: 'braintrust.metrics.*', to: 'event', read: asMetrics },
    { key: 'braintrust.scores', to: 'metrics.*', read: asObject },
    { key: 'braintrust.scores.*', to: 'metrics.*', group: 'flat' },
    { key: 'braintrust.tags', to: 'metadata.tags', read: asTags },
    {
      key: 'braintrust.expected',
      to: 'feedback.ground_truth',
      read: asJson,
    },
  ],
};
