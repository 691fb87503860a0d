import { isJsonObject, type EventType, type JsonObject, type JsonValue } from '@assay/domain';
import { asObjectOrPlain, messagesOfInput } from './whole-value.js';

/** Inputs that a value without fields of its own stands for: messages of a model event, otherwise its members or `value`. */
export function inputsFrom(value: JsonValue, type: EventType, shape: string | undefined): JsonObject {
  if (shape === 'embedding' && !isJsonObject(value)) return { input: value };
  if (shape === 'retrieval' && typeof value === 'string') return { query: value };
  return type === 'model' ? modelInputs(value) : asObjectOrPlain(value);
}

function modelInputs(value: JsonValue): JsonObject {
  if (typeof value === 'string') return { chat_history: [{ role: 'user', content: value }] };
  const messages = messagesOfInput(value);
  if (messages === undefined) return asObjectOrPlain(value);
  if (!isJsonObject(value)) return { chat_history: messages };
  const { messages: _, ...rest } = value;
  return { ...rest, chat_history: messages };
}
