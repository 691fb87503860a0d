import { isJsonObject, setOwn, type JsonObject, type JsonValue } from '@assay/domain';
import { readInstant, toMilliseconds } from '../codec/instants.js';
import { parsed } from '../json/parse-json.js';
import {
  asKey,
  asNumber,
  asObject,
  asParsed,
  asTags,
  asText,
  asUnquoted,
  byName,
  fromTable,
} from './readers.js';
import type { AttributeRule, Convention } from './rule.js';
import { asUsageObject } from './usage-object.js';

const TYPES = byName({
  model: ['generation', 'embedding'],
  chain: ['agent', 'chain', 'event'],
  tool: ['tool', 'retriever', 'guardrail', 'evaluator'],
});
const SHAPES = byName({ embedding: ['embedding'], retrieval: ['retriever'] });

function asCosts(value: JsonValue): JsonValue | undefined {
  const costs = parsed(value);
  if (!isJsonObject(costs)) return undefined;
  const { total: plain = null, total_cost: other = null, ...parts } = costs;
  const total = plain ?? other;
  const rest = plain === null || other === null ? parts : { ...parts, total_cost: other };
  const cost = asNumber(total) ?? null;
  const details = cost === null && total !== null ? costs : rest;
  return { 'fact.cost': cost ?? sumOf(rest) ?? null, 'cost_details.*': details };
}

/** Sum of costs that are reported in parts; undefined when one of them, or the sum, is no amount. */
function sumOf(parts: JsonObject): number | undefined {
  const amounts = Object.values(parts).map(asNumber);
  if (amounts.length === 0 || amounts.includes(undefined)) return undefined;
  // Twelve digits: sums of decimal fractions have noise beyond them.
  const sum = Number(amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0).toPrecision(12));
  return Number.isFinite(sum) ? sum : undefined;
}

/** Values of flattened metadata, which may be JSON text; a text has quotes then. */
function asParsedValues(value: JsonValue): JsonValue | undefined {
  if (!isJsonObject(value)) return undefined;
  const values: JsonObject = {};
  for (const key of Object.keys(value)) setOwn(values, key, asUnquoted(value[key] as JsonValue) ?? null);
  return values;
}

function asFailed(value: JsonValue): JsonValue | undefined {
  return value === 'ERROR' ? true : undefined;
}

/** Unix milliseconds of an ISO 8601 time, which may have an extra pair of quotes. */
function asTime(value: JsonValue): JsonValue | undefined {
  const instant = readInstant(asKey(value));
  return instant === undefined || instant === 'invalid' ? undefined : toMilliseconds(instant);
}

const OBSERVATION: readonly AttributeRule[] = [
  {
    key: 'langfuse.observation.type',
    to: 'metadata.observation_type',
    read: asText,
    also: [
      { to: 'fact.type', order: 30, read: fromTable(TYPES) },
      { to: 'fact.shape', read: fromTable(SHAPES) },
      { to: 'fact.weak_chain', read: fromTable({ span: 'weak' }) },
    ],
    about: '`span` is the default and ranks below `model`',
  },
  {
    key: 'langfuse.observation.input',
    to: 'fact.user_input',
    read: asParsed,
    about: 'Messages of a model become its history',
  },
  { key: 'langfuse.observation.output', to: 'fact.user_output', read: asParsed },
  { key: 'langfuse.observation.model.name', to: 'config.model', read: asText },
  {
    key: 'langfuse.observation.model.parameters',
    to: 'config.*',
    order: 50_000,
    read: asObject,
  },
  {
    key: 'langfuse.observation.usage_details',
    to: 'event',
    read: asUsageObject,
  },
  {
    key: 'langfuse.observation.cost_details',
    to: 'event',
    order: 5,
    read: asCosts,
  },
  { key: 'langfuse.observation.metadata', to: 'metadata.*', read: asObject },
  {
    key: 'langfuse.observation.metadata.*',
    to: 'metadata.*',
    group: 'flat',
    read: asParsedValues,
  },
  {
    key: 'langfuse.observation.level',
    to: 'metadata.level',
    read: asText,
    also: [{ to: 'fact.failed', read: asFailed }],
    about: 'ERROR marks a failure if the status is unset',
  },
  {
    key: 'langfuse.observation.status_message',
    to: 'metadata.status_message',
    read: asText,
    also: [{ to: 'fact.error_message', order: 10, read: asText }],
  },
  {
    key: 'langfuse.observation.completion_start_time',
    to: 'fact.first_token_at',
    read: asTime,
    about: 'From its timestamp',
  },
  {
    key: 'langfuse.observation.prompt.name',
    to: 'config.prompt_name',
    read: asText,
  },
  { key: 'langfuse.observation.prompt.version', to: 'config.prompt_version' },
];

const TRACE: readonly AttributeRule[] = [
  {
    key: 'langfuse.trace.name',
    to: 'metadata.trace_name',
    read: asText,
    also: [{ to: 'fact.session_name', order: 30, read: asText }],
  },
  {
    key: 'langfuse.trace.input',
    to: 'fact.trace_input',
    read: asParsed,
    keep: true,
    about: 'Inputs of a root without inputs',
  },
  {
    key: 'langfuse.trace.output',
    to: 'fact.trace_output',
    read: asParsed,
    keep: true,
    about: 'Outputs of a root without outputs',
  },
  { key: 'langfuse.trace.tags', to: 'metadata.tags', read: asTags },
  { key: 'langfuse.trace.metadata', to: 'metadata.*', read: asObject },
  {
    key: 'langfuse.trace.metadata.*',
    to: 'metadata.*',
    group: 'flat',
    read: asParsedValues,
  },
  { key: 'langfuse.trace.public', to: 'metadata.public' },
  { key: 'langfuse.session.id', to: 'fact.session', order: 30, read: asKey },
  { key: 'langfuse.user.id', to: 'user_properties.user_id', order: 30, read: asKey },
  { key: 'langfuse.environment', to: 'metadata.environment', read: asText },
  { key: 'langfuse.release', to: 'metadata.release', read: asText },
  { key: 'langfuse.version', to: 'metadata.version', read: asText },
];

export const langfuse: Convention = {
  name: 'langfuse',
  title: 'Langfuse SDK',
  precedence: 2,
  always: true,
  detectors: ['langfuse.*'],
  rules: [...OBSERVATION, ...TRACE],
};
