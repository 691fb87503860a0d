import { validationError } from '@assay/errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.js';
import type { EventInput } from '../event.js';
import { wrapOutputs } from './sent-buckets.js';

/** Fields of a model event that are kept in its inputs under their own names. */
const INPUT_FIELDS = [
  'messages',
  'provider',
  'usage',
  'cost',
  'hyperparameters',
  'template',
  'template_inputs',
  'tools',
  'tool_choice',
  'response_format',
  'duration',
  'error',
] as const;

/** Numbers of tokens that a model reports, under the names by which sessions add them up. */
const TOKEN_FIELDS = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const;

/** A call of a model as older clients send it: an event with fields of its own. */
export interface ModelEventInput extends Omit<EventInput, 'event_type'> {
  readonly model_name?: string;
  /** The same as `model_name`. */
  readonly model?: string;
  readonly model_version?: JsonValue;
  readonly messages?: JsonValue;
  readonly response?: JsonValue;
  readonly provider?: JsonValue;
  readonly usage?: JsonValue;
  readonly cost?: JsonValue;
  readonly hyperparameters?: JsonValue;
  readonly template?: JsonValue;
  readonly template_inputs?: JsonValue;
  readonly tools?: JsonValue;
  readonly tool_choice?: JsonValue;
  readonly response_format?: JsonValue;
}

/**
 * The event of type `model` that a model event stands for. The model's name goes to `config.model` and
 * `metadata.model_name`, messages and settings to the inputs, the response to the outputs. What the client
 * says in the open objects themselves stays, and cost and tokens reach the metadata, where sessions add them
 * up.
 * @throws AppError `VALIDATION_ERROR` when neither a model nor a name is given; `path` stands before the names of fields
 */
export function modelEventInput(sent: ModelEventInput, path = ''): EventInput {
  const model = sent.model_name ?? sent.model;
  const name = sent.event_name ?? model;
  if (name === undefined) throw validationError(`${path}model_name or ${path}event_name is required`);
  return {
    ...sent,
    event_type: 'model',
    event_name: name,
    inputs: { ...sent.inputs, ...inputsOf(sent) },
    outputs:
      sent.response === undefined ? sent.outputs : { ...wrapOutputs(sent.outputs), response: sent.response },
    config: { ...given({ model, provider: sent.provider }), ...sent.config },
    metadata: {
      ...given({ model_name: model, model_version: sent.model_version }),
      ...usageOf(sent),
      ...sent.metadata,
    },
  };
}

/** Messages stand under the name that evaluators and views of conversations look for, too. */
function inputsOf(sent: ModelEventInput): JsonObject {
  const chat_history = Array.isArray(sent.messages)
    ? (sent.inputs?.chat_history ?? sent.messages)
    : undefined;
  return given({ chat_history, ...Object.fromEntries(INPUT_FIELDS.map((name) => [name, sent[name]])) });
}

function usageOf({ usage, cost }: ModelEventInput): JsonObject {
  const tokens = isJsonObject(usage) ? TOKEN_FIELDS.map((name) => [name, usage[name]] as const) : [];
  return Object.fromEntries(
    [['cost', cost] as const, ...tokens].flatMap(([name, value]) =>
      typeof value === 'number' ? [[name, value]] : [],
    ),
  );
}

function given(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
