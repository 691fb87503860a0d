import { isJsonObject, type EventType, type JsonObject, type JsonValue } from '@assay/domain';
import type { Message } from '../chat/message.js';
import { outputsOf as flattenMessages } from '../chat/output.js';
import { readToolCalls } from '../chat/tool-call.js';
import { isNothing } from '../json/is-nothing.js';
import { listItems } from '../json/unflatten.js';
import { ANSWER_LISTS, asObjectOrPlain, messagesOfOutput } from './whole-value.js';

/** Outputs that a value without fields of its own stands for: the answer of a model event, otherwise its members or `value`. */
export function outputsFrom(
  value: JsonValue,
  type: EventType,
  shape: string | undefined,
  reasons: readonly string[],
): JsonObject {
  if (shape === 'retrieval' && Array.isArray(value)) return { documents: value };
  return type === 'model' && shape !== 'embedding' ? modelOutputs(value, reasons) : asObjectOrPlain(value);
}

function modelOutputs(value: JsonValue, reasons: readonly string[]): JsonObject {
  if (typeof value === 'string') return flattenMessages([{ role: 'assistant', content: value }], reasons);
  if (isJsonObject(value) && isGeneration(value)) return generationOutputs(value, reasons);
  if (Array.isArray(value) && value.length > 0 && value.every(isAnswer))
    return flattenMessages(value.map(messageOf), reasons);
  const messages = messagesOfOutput(value);
  return messages === undefined ? asObjectOrPlain(value) : flattenMessages(messages, reasons);
}

/** Whether the value is one of the answers of a list: a text, alone or with the reasoning that led to it. */
function isAnswer(value: JsonValue): boolean {
  if (typeof value === 'string') return true;
  if (!isJsonObject(value) || typeof value['text'] !== 'string') return false;
  return Object.keys(value).every((key) => key === 'text' || key === 'reasoning_content');
}

function messageOf(value: JsonValue): Message {
  if (!isJsonObject(value)) return { role: 'assistant', content: value };
  const { text = null, reasoning_content: reasoning } = value;
  return { role: 'assistant', content: text, ...(reasoning !== undefined && { reasoning }) };
}

/** Whether the value is the result of a generation: a text and tool calls beside each other. */
function isGeneration(value: JsonObject): boolean {
  return (
    Object.hasOwn(value, 'text') &&
    !Object.hasOwn(value, 'role') &&
    !ANSWER_LISTS.some((key) => Object.hasOwn(value, key)) &&
    (typeof value['text'] === 'string' || Array.isArray(value['toolCalls']))
  );
}

function generationOutputs(value: JsonObject, reasons: readonly string[]): JsonObject {
  const { text = null, toolCalls = null, reasoning = null, finishReason = null, ...others } = value;
  const calls = readToolCalls(toolCalls);
  const isRead = calls.length === listItems(toolCalls).length;
  const message: Message = {
    role: 'assistant',
    content: text,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(reasoning !== null && reasoning !== '' && { reasoning }),
    ...(finishReason !== null && { finish_reason: finishReason }),
    ...(!isRead && { toolCalls }),
  };
  const present = Object.entries(others).filter(([, item]) => !isNothing(item));
  return { ...flattenMessages([message], reasons), ...Object.fromEntries(present) };
}
