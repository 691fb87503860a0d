import { isJsonObject, isLargeInteger, setOwn, type JsonObject, type JsonValue } from '@assay/domain';
import { parsed } from '../json/parse-json.js';
import { asBoolean, asKey, asNumber, asObject, asText, asUuid, byName, fromTable } from './readers.js';
import type { AttributeRule, Convention, SlotBucket } from './rule.js';

const EVENT_TYPES = byName({
  model: ['model', 'llm', 'generation', 'embedding'],
  tool: ['tool', 'function', 'retriever'],
  chain: ['chain', 'agent', 'workflow', 'task', 'span'],
  session: ['session'],
});
const FIRM_TYPES = byName({ model: ['model'], chain: ['chain'], session: ['session'] });

/** Parses JSON text inside an unflattened value: the SDK encodes values that it cannot flatten. */
function parseLeaves(value: JsonValue): JsonValue {
  if (typeof value === 'string') return parsed(value);
  if (Array.isArray(value)) return value.map(parseLeaves);
  return isJsonObject(value) ? mapValues(value, parseLeaves) : value;
}

/** Parses numbers and booleans of metrics, because old SDK versions send every attribute as text. */
function scoreLeaves(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    if (isLargeInteger(value)) return BigInt(value);
    return asNumber(value) ?? asBoolean(value) ?? parsed(value);
  }
  if (Array.isArray(value)) return value.map(scoreLeaves);
  return isJsonObject(value) ? mapValues(value, scoreLeaves) : value;
}

function mapValues(object: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject {
  const changed: JsonObject = {};
  for (const key of Object.keys(object)) setOwn(changed, key, change(object[key] as JsonValue));
  return changed;
}

/** A list as a bucket: an object of its items by index. */
function asBucket(change: (value: JsonValue) => JsonValue): (value: JsonValue) => JsonValue {
  return (value) => {
    const rebuilt = change(value);
    return Array.isArray(rebuilt) ? { ...rebuilt } : rebuilt;
  };
}

/** Rules of one bucket: flattened below the prefix, or whole as JSON text or a key-value list. */
function bucketRules(bucket: SlotBucket, change = parseLeaves): AttributeRule[] {
  const prefix = `honeyhive_${bucket}`;
  const isIo = bucket === 'inputs' || bucket === 'outputs';
  const whole = isIo ? (value: JsonValue) => asObject(value) ?? { value: parsed(value) } : asObject;
  return [
    {
      key: `${prefix}.*`,
      to: `${bucket}.*`,
      read: asBucket(change),
    },
    {
      key: prefix,
      to: `${bucket}.*`,
      read: whole,
    },
  ];
}

/** Ids that link events to experiment runs. */
const EXPERIMENT_IDS = ['run_id', 'dataset_id', 'datapoint_id'];

function readExperiment(value: JsonValue): JsonValue | undefined {
  const facts = asObject(value);
  if (!isJsonObject(facts)) return undefined;
  const ids = EXPERIMENT_IDS.filter((id) => asText(facts[id] ?? null) !== undefined);
  return {
    'metadata.experiment_metadata': facts,
    ...Object.fromEntries(ids.map((id) => [`metadata.${id}`, facts[id] as JsonValue])),
  };
}

export const honeyhive: Convention = {
  name: 'honeyhive',
  title: 'HoneyHive SDK (native)',
  precedence: 1,
  always: true,
  detectors: ['honeyhive.*', 'honeyhive_event_type', 'honeyhive_inputs.*', 'honeyhive_outputs.*'],
  rules: [
    {
      key: 'honeyhive_event_type_raw',
      to: 'fact.type',
      order: 10,
      read: fromTable(EVENT_TYPES),
      partial: true,
    },
    {
      key: 'honeyhive_event_type',
      to: 'fact.type',
      order: 20,
      read: fromTable(FIRM_TYPES),
      also: [{ to: 'fact.type', order: 70, read: fromTable({ tool: 'tool' }) }],
      partial: true,
      about: '`tool` is a default of the SDK and ranks below other evidence',
    },
    {
      key: 'honeyhive_event_name',
      to: 'fact.event_name',
      order: 10,
      read: asText,
    },
    { key: 'honeyhive_event_id', to: 'fact.event_id', read: asUuid, about: 'Event id, if it is a UUID' },
    { key: 'honeyhive_session_id', to: 'fact.session', order: 10, read: asKey },
    {
      key: 'honeyhive.session_id',
      to: 'fact.session',
      order: 11,
      read: asKey,
    },
    {
      key: 'traceloop.association.properties.session_id',
      to: 'fact.session',
      order: 20,
      read: asKey,
      also: [{ to: 'metadata.session_id' }],
    },
    {
      key: 'honeyhive_session_name',
      to: 'fact.session_name',
      order: 10,
      read: asText,
    },
    {
      key: 'honeyhive.session_name',
      to: 'fact.session_name',
      order: 11,
      read: asText,
    },
    {
      key: 'honeyhive.session_auto_create',
      to: 'fact.session_auto_create',
      read: asBoolean,
    },
    {
      key: 'honeyhive_project',
      to: 'fact.project',
      order: 10,
      about: 'Not used: the API key determines the project',
    },
    {
      key: 'honeyhive.project',
      to: 'fact.project',
      order: 10,
      about: 'Not used: the API key determines the project',
    },
    {
      key: 'traceloop.association.properties.project',
      to: 'fact.project',
      order: 10,
      about: 'Not used: the API key determines the project',
    },
    { key: 'honeyhive_source', to: 'fact.source', order: 10, read: asText },
    { key: 'honeyhive.source', to: 'fact.source', order: 11, read: asText },
    {
      key: 'traceloop.association.properties.source',
      to: 'fact.source',
      order: 20,
      read: asText,
    },
    {
      key: 'honeyhive.parent_id',
      to: 'fact.parent_id',
      order: 10,
      read: asUuid,
      about: 'Parent event of a span without a parent span',
    },
    {
      key: 'traceloop.association.properties.parent_id',
      to: 'fact.parent_id',
      order: 20,
      read: asUuid,
      about: 'Parent event of a span without a parent span',
    },
    {
      key: 'traceloop.association.properties.user_id',
      to: 'user_properties.user_id',
      order: 20,
      read: asKey,
    },
    { key: 'honeyhive_user_id', to: 'user_properties.user_id', order: 10, read: asKey },
    ...bucketRules('inputs'),
    ...bucketRules('outputs'),
    ...bucketRules('config'),
    ...bucketRules('metadata'),
    ...bucketRules('metrics', scoreLeaves),
    ...bucketRules('feedback'),
    ...bucketRules('user_properties'),
    { key: 'honeyhive_error', to: 'fact.error', order: 10, read: asText, partial: true },
    {
      key: 'honeyhive_error_type',
      to: 'metadata.error_type',
      order: 30,
      read: asText,
    },
    {
      key: 'honeyhive_duration_ms',
      to: 'metadata.honeyhive_duration_ms',
      about: 'Informational; the duration is derived from the span times',
    },
    { key: 'honeyhive.experiment_id', to: 'metadata.experiment_id' },
    { key: 'honeyhive.experiment_name', to: 'metadata.experiment_name' },
    { key: 'honeyhive.experiment_variant', to: 'metadata.experiment_variant' },
    { key: 'honeyhive.experiment_group', to: 'metadata.experiment_group' },
    {
      key: 'honeyhive.experiment_metadata.*',
      to: 'event',
      read: readExperiment,
      about: 'Experiment; run, dataset and datapoint ids are also stored separately',
    },
    {
      key: 'honeyhive.experiment_metadata',
      to: 'event',
      read: readExperiment,
    },
    {
      key: 'traceloop.association.properties.*',
      to: 'metadata.*',
      group: 'flat',
    },
    { key: 'baggage.*', to: 'metadata.baggage', group: 'flat' },
  ],
};
