import { isJsonObject, type JsonValue } from '@assay/domain';
import { asHistory, asOutputMessages } from './chat-readers.js';
import { asCount, asKey, asObject, asParsed, asTags, asText, byName, fromTable } from './readers.js';
import type { Convention } from './rule.js';

const MASTRA_TYPES = byName({
  model: ['model_generation'],
  tool: ['tool_call', 'mcp_tool_call'],
  chain: [
    'model_step',
    'model_chunk',
    'agent_run',
    'processor_run',
    'workflow_run',
    'workflow_step',
    'workflow_conditional',
    'workflow_conditional_eval',
    'workflow_parallel',
    'workflow_loop',
    'workflow_sleep',
    'workflow_wait_event',
    'generic',
  ],
});

/**
 * Inputs and outputs are sent as `mastra.<type>.input`; the unflattened family is `{<type>: {input,
 * output}}`.
 */
function member(name: 'input' | 'output'): (value: JsonValue) => JsonValue | undefined {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    for (const item of Object.values(value)) {
      if (typeof item !== 'object' || item === null || Array.isArray(item)) continue;
      const found = item[name];
      if (found !== undefined) return asParsed(found);
    }
    return undefined;
  };
}

export const mastra: Convention = {
  name: 'mastra',
  title: 'Mastra',
  place: 15,
  always: true,
  signs: ['mastra.*'],
  rules: [
    {
      key: 'mastra.span.type',
      to: 'metadata.span_type',
      read: asText,
      also: [{ to: 'fact.type', order: 45, read: fromTable(MASTRA_TYPES) }],
      about: 'Decides the event type; steps and chunks of a generation are steps',
    },
    {
      key: 'mastra.*',
      to: 'fact.input',
      read: member('input'),
      also: [{ to: 'fact.output', read: member('output') }],
      about: 'Inputs and outputs',
    },
  ],
};

const AG2_TYPES = byName({ chain: ['conversation', 'agent', 'handoff'], model: ['llm'], tool: ['tool'] });

export const ag2: Convention = {
  name: 'ag2',
  title: 'AG2',
  place: 16,
  always: true,
  signs: ['ag2.*'],
  rules: [
    {
      key: 'ag2.span.type',
      to: 'metadata.span_type',
      read: asText,
      also: [{ to: 'fact.type', order: 64, read: fromTable(AG2_TYPES) }],
      about: 'Decides the event type',
    },
  ],
};

const GENKIT_TYPES = byName({
  model: ['model', 'embedder'],
  tool: ['tool', 'retriever', 'evaluator'],
  chain: ['flow'],
});

export const genkit: Convention = {
  name: 'genkit',
  title: 'Genkit',
  place: 17,
  always: true,
  signs: ['genkit:name'],
  rules: [
    {
      key: 'genkit:metadata:subtype',
      to: 'metadata.span_type',
      read: asText,
      also: [{ to: 'fact.type', order: 66, read: fromTable(GENKIT_TYPES) }],
      about: 'Decides the event type',
    },
    { key: 'genkit:input', to: 'fact.input', read: asParsed, about: 'Inputs' },
    { key: 'genkit:output', to: 'fact.output', read: asParsed, about: 'Outputs' },
    { key: 'genkit:name', to: 'metadata.entity_name', read: asText, about: 'Name of the step' },
    {
      key: 'genkit:state',
      to: 'metadata.state',
      also: [{ to: 'fact.failed', read: (value) => (value === 'error' ? true : undefined) }],
      about: 'State',
    },
  ],
};

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
  place: 18,
  always: true,
  signs: ['mlflow.spanType'],
  rules: [
    {
      key: 'mlflow.spanType',
      to: 'metadata.span_kind',
      read: asKey,
      also: [{ to: 'fact.type', order: 67, read: (value) => mlflowType(asKey(value) ?? null) }],
      about: 'Decides the event type; quoted as JSON',
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

export const liveKit: Convention = {
  name: 'livekit',
  title: 'LiveKit Agents',
  place: 19,
  always: true,
  signs: ['lk.*'],
  rules: [
    { key: 'lk.input_text', to: 'fact.input', read: asText, about: 'Inputs' },
    { key: 'lk.user_transcript', to: 'fact.input', read: asText, about: 'Inputs' },
    { key: 'lk.user_input', to: 'fact.input', read: asText, about: 'Inputs' },
    { key: 'lk.chat_ctx', to: 'fact.history', read: asHistory, about: 'Messages that went in' },
    { key: 'lk.function_tool.output', to: 'fact.output', read: asParsed, about: 'Outputs of a tool' },
    { key: 'lk.response.text', to: 'fact.output_messages', read: asOutputMessages, about: 'Answer' },
  ],
};

export const opik: Convention = {
  name: 'opik',
  title: 'Opik',
  place: 21,
  always: true,
  signs: ['opik.*'],
  rules: [
    { key: 'opik.tags', to: 'metadata.tags', read: asTags, about: 'Tags' },
    { key: 'opik.thread_id', to: 'fact.session', order: 91, read: asKey, about: 'Session id' },
    { key: 'opik.metadata.*', to: 'metadata.*', group: 'flat', about: 'Metadata key by key' },
  ],
};

export const crewAi: Convention = {
  name: 'crewai',
  title: 'CrewAI',
  place: 22,
  always: true,
  signs: ['gen_ai.task.*'],
  rules: [
    { key: 'gen_ai.task.input', to: 'fact.input', read: asParsed, about: 'Inputs of a task' },
    { key: 'gen_ai.task.output', to: 'fact.output', read: asParsed, about: 'Outputs of a task' },
    { key: 'gen_ai.task.id', to: 'metadata.task_id', read: asText, about: 'Task' },
    { key: 'gen_ai.task.name', to: 'metadata.task_name', read: asText, about: 'Task' },
    { key: 'gen_ai.task.status', to: 'metadata.task_status', read: asText, about: 'Task' },
    { key: 'gen_ai.task.kind', to: 'metadata.task_kind', read: asText, about: 'Task' },
  ],
};

export const flue: Convention = {
  name: 'flue',
  title: 'Flue',
  place: 23,
  always: true,
  signs: ['flue.*'],
  rules: [
    { key: 'flue.tool.*', to: 'fact.tool_evidence', group: 'flat', keep: true, about: 'A tool' },
    {
      key: 'flue.task.*',
      to: 'fact.weak_chain',
      group: 'flat',
      read: () => 'firm',
      keep: true,
      about: 'A step',
    },
  ],
};
