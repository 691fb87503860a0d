import { isJsonObject, type JsonValue } from '@assay/domain';
import { asProvider } from './providers.js';
import {
  asJson,
  asKey,
  asNumber,
  asObject,
  asParsed,
  byName,
  fromTable,
  type TableReader,
} from './readers.js';
import type { Convention } from './rule.js';
import { asUsageObject } from './usage-object.js';

const MLFLOW_TYPES = byName({
  model: ['llm', 'chat_model', 'embedding'],
  chain: ['chain', 'agent', 'parser', 'workflow', 'task'],
  tool: ['tool', 'retriever', 'reranker', 'memory', 'guardrail', 'evaluator'],
});
const SHAPES = byName({ embedding: ['embedding'], retrieval: ['retriever'], rerank: ['reranker'] });
const typeOf = unquoted(fromTable(MLFLOW_TYPES));
const shapeOf = unquoted(fromTable(SHAPES));

/** Reads a name without its JSON quotes. */
function unquoted(read: TableReader): TableReader {
  return Object.assign((value: JsonValue) => read(asKey(value) ?? null), { names: read.names });
}

/** `{input_cost, output_cost, total_cost}`; other costs are details under their own name. */
function asCost(value: JsonValue): JsonValue | undefined {
  const costs = asObject(value);
  if (!isJsonObject(costs)) return undefined;
  const { total_cost: total = null, input_cost: input = null, output_cost: output = null, ...others } = costs;
  return {
    'fact.cost': asNumber(total) ?? null,
    'cost_details.prompt': asNumber(input) ?? input,
    'cost_details.completion': asNumber(output) ?? output,
    'cost_details.*': asNumber(total) === undefined ? { ...others, total_cost: total } : others,
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
      also: [
        { to: 'fact.type', order: 67, read: typeOf },
        { to: 'fact.shape', read: shapeOf },
      ],
    },
    { key: 'mlflow.spanInputs', to: 'fact.input', read: asJson },
    { key: 'mlflow.spanOutputs', to: 'fact.output', read: asJson },
    { key: 'mlflow.llm.model', to: 'config.model', read: asKey },
    {
      key: 'mlflow.llm.provider',
      to: 'config.provider',
      read: (value) => asProvider(asKey(value) ?? null),
    },
    { key: 'mlflow.chat.tools', to: 'config.tools', read: asParsed },
    {
      key: 'mlflow.llm.cost',
      to: 'event',
      order: 45,
      read: asCost,
    },
    { key: 'mlflow.chat.tokenUsage', to: 'event', read: asUsageObject },
    {
      key: 'mlflow.trace.session',
      to: 'fact.session',
      order: 94,
      read: asKey,
    },
    {
      key: 'mlflow.trace.user',
      to: 'user_properties.user_id',
      order: 95,
      read: asKey,
    },
  ],
};
