import type { Exchange, Message, MessagePart } from './message.js';
import { isValueObject, printValue, type Value, type ValueObject } from './read-value.js';
import { callPart, contentParts, fieldPart, isText, textOf, textPart, valuePart } from './to-parts.js';

/** Fields of inputs and outputs that hold messages, in the order in which they are shown. */
const LISTS = ['chat_history', 'messages', 'choices'] as const;
/** Fields that make an object a message. */
const SPEAKING = ['content', 'tool_calls', 'reasoning'];

/** The messages of an event: what it was given, and what it returned. Every field of both is in one of them. */
export function toExchange(inputs: Value, outputs: Value): Exchange {
  return { asked: messagesIn(inputs, 'inputs'), answered: messagesIn(outputs, 'outputs') };
}

function messagesIn(value: Value, side: 'inputs' | 'outputs'): readonly Message[] {
  if (!isValueObject(value)) return value === null ? [] : [plain(side, [valuePart(value)])];
  const lists = LISTS.filter((key) => Array.isArray(value[key]));
  const listed = lists.flatMap((key) => itemsOf(value[key]).map(toMessage));
  const { message, others } = side === 'outputs' ? flattened(value, lists) : { message: [], others: value };
  const fields = Object.entries(others).filter(([key]) => !lists.some((list) => list === key));
  const rest = fields.map(([key, field]) => fieldPart(key, field));
  return [...(rest.length === 0 ? [] : [plain(side, rest)]), ...listed, ...message];
}

/**
 * Outputs that are one message, or the first of several that a list has. Returns the message, and the fields that belong to none.
 */
function flattened(
  outputs: ValueObject,
  lists: readonly string[],
): { message: Message[]; others: ValueObject } {
  const isMessage = isText(outputs['role']) || SPEAKING.some((key) => outputs[key] !== undefined);
  if (!isMessage) return { message: [], others: outputs };
  const own = Object.fromEntries(Object.entries(outputs).filter(([key]) => !lists.includes(key)));
  const isListed = lists.some((key) => itemsOf(outputs[key]).some((item) => contains(item, own)));
  return { message: isListed ? [] : [toMessage({ role: 'assistant', ...own })], others: {} };
}

function contains(item: Value, fields: ValueObject): boolean {
  return (
    isValueObject(item) &&
    Object.entries(fields).every(([key, value]) => printValue(item[key] ?? null) === printValue(value))
  );
}

function itemsOf(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? value : [];
}

/** A message in the stored form, `{role, content, name?, tool_calls?, tool_call_id?, reasoning?, finish_reason?}`. */
export function toMessage(value: Value): Message {
  if (!isValueObject(value)) return plain('', [valuePart(value)]);
  const { role, content, name, reasoning, tool_calls: calls, ...others } = value;
  const { tool_call_id: callId, finish_reason: finishReason, ...details } = others;
  const callParts = Array.isArray(calls) ? calls.map(callPart) : contentParts(calls);
  const parts = [...reasoningParts(reasoning), ...contentParts(content), ...callParts];
  return {
    role: textOf(role),
    name: textOf(name),
    callId: textOf(callId),
    finishReason: textOf(finishReason),
    parts,
    details: Object.keys(details).length === 0 ? '' : printValue(details),
  };
}

function reasoningParts(reasoning: Value | undefined): readonly MessagePart[] {
  if (reasoning === undefined || reasoning === null || reasoning === '') return [];
  const texts = Array.isArray(reasoning) ? reasoning : [reasoning];
  return texts.map((one) => textPart('reasoning', one));
}

function plain(role: string, parts: readonly MessagePart[]): Message {
  return { role, name: '', callId: '', finishReason: '', parts, details: '' };
}
