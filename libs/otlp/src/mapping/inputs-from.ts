import { isJsonObject, type EventType, type JsonObject, type JsonValue } from '@assay/domain';
import type { Message } from '../chat/message.js';
import { readMessagesStrictly } from '../chat/read-messages.js';
import { asInstructions } from '../conventions/chat-readers.js';
import { isNothing } from '../json/is-nothing.js';
import { asObjectOrPlain, messagesOfInput } from './whole-value.js';

/** Inputs that a value without fields of its own stands for: messages of a model event, otherwise its members or `value`. */
export function inputsFrom(value: JsonValue, type: EventType, shape: string | undefined): JsonObject {
  if (shape === 'embedding') return isJsonObject(value) ? value : { input: value };
  if (shape === 'retrieval' && typeof value === 'string') return { query: value };
  return type === 'model' ? modelInputs(value) : asObjectOrPlain(value);
}

function modelInputs(value: JsonValue): JsonObject {
  if (typeof value === 'string') return { chat_history: [{ role: 'user', content: value }] };
  if (isJsonObject(value)) return requestInputs(value);
  const messages = messagesOfInput(value);
  return messages === undefined ? asObjectOrPlain(value) : { chat_history: messages };
}

/** Fields of the requests of providers that hold the messages, and those that hold their system instructions. */
const MESSAGE_FIELDS = ['messages', 'input', 'contents'] as const;
const INSTRUCTION_FIELDS = ['system', 'instructions', 'system_instruction', 'systemInstruction'] as const;

/** Inputs of a request: its messages after its instructions, and its other fields. */
function requestInputs(request: JsonObject): JsonObject {
  const field = MESSAGE_FIELDS.find((key) => messagesIn(request, key) !== undefined);
  const messages = field === undefined ? messagesOfInput(request) : messagesIn(request, field);
  if (messages === undefined) return request;
  if (field === undefined) return { chat_history: messages };
  const { [field]: _, ...rest } = request;
  const instructionsField = INSTRUCTION_FIELDS.find((key) => !isNothing(rest[key] ?? null));
  const content =
    instructionsField === undefined ? undefined : instructionsOf(rest[instructionsField] as JsonValue);
  if (instructionsField === undefined || content === undefined || messages[0]?.role === 'system')
    return { ...rest, chat_history: messages };
  const { [instructionsField]: __, ...others } = rest;
  return { ...others, chat_history: [{ role: 'system', content }, ...messages] };
}

function messagesIn(request: JsonObject, key: (typeof MESSAGE_FIELDS)[number]): Message[] | undefined {
  const value = request[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') return readMessagesStrictly(value, 'user');
  // A text beside a model is a question; elsewhere `input` is a field like any other.
  const isAsked = key === 'contents' || (key === 'input' && isNamed(request['model']));
  return isAsked && value !== '' ? [{ role: 'user', content: value }] : undefined;
}

function isNamed(model: JsonValue | undefined): boolean {
  return typeof model === 'string' && !model.includes('embed');
}

/** A text, a list of texts, or the parts of a message of Gemini. */
function instructionsOf(value: JsonValue): JsonValue | undefined {
  const parts = isJsonObject(value) && Array.isArray(value['parts']) ? value['parts'] : value;
  return asInstructions(parts);
}
