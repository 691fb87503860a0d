import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';
import { isSilent, type Message } from './message.js';

/**
 * Completes messages of which a library states only a part, such as the role without the content, from another source of
 * the same messages. Sources whose roles differ are not the same messages.
 * @param readOther reads the other source, only if something is missing
 */
export function completeMessages(
  messages: Message[],
  readOther: () => readonly Message[] | undefined,
): Message[] {
  if (!messages.some(isIncomplete)) return messages;
  const others = readOther();
  if (others?.length !== messages.length) return messages;
  if (messages.some(({ role }, index) => role !== others[index]?.role)) return messages;
  return messages.map((message, index) => completed(message, others[index] as Message));
}

function isIncomplete(message: Message): boolean {
  if (message.role === 'tool' && message['tool_call_id'] === undefined) return true;
  return callsOf(message).some(lacksId) || isSilent([message]);
}

function completed(message: Message, other: Message): Message {
  if (isSilent([message])) return { ...message, ...other };
  const complete = { ...message };
  const { tool_call_id: id, name } = other;
  if (message.role === 'tool' && id !== undefined) complete['tool_call_id'] ??= id;
  if (message.role === 'tool' && name !== undefined) complete['name'] ??= name;
  const [calls, others] = [callsOf(message), callsOf(other)];
  const areSame = calls.length === others.length && calls.every((call, index) => isSame(call, others[index]));
  if (calls.length > 0 && areSame)
    complete['tool_calls'] = calls.map((call, index) => ({ ...others[index], ...call }));
  return complete;
}

function callsOf({ tool_calls: calls }: Message): JsonObject[] {
  return Array.isArray(calls) ? calls.filter(isJsonObject) : [];
}

function lacksId({ id }: JsonObject): boolean {
  return id === undefined || id === '';
}

/** Calls of one position are the same call unless they name different tools or have different ids. */
function isSame(call: JsonObject, other: JsonObject | undefined): boolean {
  return other !== undefined && call['name'] === other['name'] && agrees(call['id'], other['id']);
}

function agrees(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}
