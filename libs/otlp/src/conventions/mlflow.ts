import { isJsonObject, type JsonValue } from '@assay/domain';
import { asCount, asKey, asObject, asParsed, byName, fromTable } from './readers.js';
import type { Convention } from './rule.js';

const MLFLOW_TYPES = byName({
  model: ['llm', 'chat_model', 'embedding'],
  chain: ['chain', 'agent'],
  tool: ['tool', 'retriever', 'reranker'],
});
const mlflowType = fromTable(MLFLOW_TYPES);

function asTokenUsage(value: JsonValue): JsonValue | undefined {
  const usage = asObject(value);
  if (!isJsonObject(usage)) return undefined;
  const count = (key: string) => asCount(usage[key] ?? null) ?? null;
  return {
    'usage.input': count('input_tokens'),
    'usage.output': count('output_tokens'),
    'usage.total': count('total_tokens'),
  };
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
