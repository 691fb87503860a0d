import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';
import { setOwn } from '../json/set-own.js';
import { asCount, asKey, asObject, asParsed, byName, fromTable } from './readers.js';
import type { Convention } from './rule.js';

const MLFLOW_TYPES = byName({
  model: ['llm', 'chat_model', 'embedding'],
  chain: ['chain', 'agent'],
  tool: ['tool', 'retriever', 'reranker'],
});
const mlflowType = fromTable(MLFLOW_TYPES);

/** Token counts; other keys are details under their own name. */
const COUNTS: Readonly<Record<string, string>> = {
  input_tokens: 'usage.input',
  output_tokens: 'usage.output',
  total_tokens: 'usage.total',
};

function asTokenUsage(value: JsonValue): JsonValue | undefined {
  const usage = asObject(value);
  if (!isJsonObject(usage)) return undefined;
  const targets: JsonObject = {};
  const details: JsonObject = {};
  for (const key of Object.keys(usage)) {
    const value = usage[key] as JsonValue;
    const target = Object.hasOwn(COUNTS, key) ? COUNTS[key] : undefined;
    const count = target === undefined ? undefined : asCount(value);
    if (target !== undefined && count !== undefined) targets[target] = count;
    else setOwn(details, key, value);
  }
  return { ...targets, 'usage_details.*': details };
}

export const mlflow: Convention = {
  name: 'mlflow',
  title: 'MLflow',
  precedence: 18,
  always: true,
  detectors: ['mlflow.spanType'],
  rules: [
    {
      key: 'mlflow.spanType',
      to: 'metadata.span_kind',
      read: asKey,
      also: [{ to: 'fact.type', order: 67, read: (value) => mlflowType(asKey(value) ?? null) }],
      about: 'Event type; quoted as JSON',
    },
    { key: 'mlflow.spanInputs', to: 'fact.input', read: asParsed, about: 'Inputs' },
    { key: 'mlflow.spanOutputs', to: 'fact.output', read: asParsed, about: 'Outputs' },
    { key: 'mlflow.chat.tokenUsage', to: 'event', read: asTokenUsage, about: 'Token counts as JSON text' },
    {
      key: 'mlflow.trace.session',
      to: 'fact.session',
      order: 94,
      read: asKey,
      about: 'Session id; quoted as JSON',
    },
    {
      key: 'mlflow.trace.user',
      to: 'user_properties.user_id',
      order: 95,
      read: asKey,
      about: 'User; quoted as JSON',
    },
  ],
};
