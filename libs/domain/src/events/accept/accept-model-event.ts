import { validationError } from '@assay/errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.js';
import type { EventInput } from '../event.js';
import { wrapOutputs } from './sent-buckets.js';

/** Fields of a model event that its inputs hold under the same names. */
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

/** Token counts that a model reports, by the names that session totals use. */
const TOKEN_FIELDS = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const;

/** A model call as older clients send it: an event with additional fields. */
export interface ModelEventInput extends Omit<EventInput, 'event_type'> {
  readonly model_name?: string;
  /** Alias of `model_name`. */
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
 * Converts a model event to an event of type `model`. The model's name goes to `config.model` and
 * `metadata.model_name`, messages and settings to the inputs, the response to the outputs. Values that the
 * client sent in the open objects take precedence. Cost and tokens go to the metadata, which session totals
 * read. `path` precedes the names of fields in errors.
 * @throws AppError `VALIDATION_ERROR` if neither a model nor a name is given
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

/** Messages are also stored under the name that evaluators and conversation views read. */
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
