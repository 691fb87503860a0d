import { isJsonObject, type JsonObject, type JsonValue } from '../../json.js';

/**
 * Outputs of a model from its output messages. Several assistant messages are choices: the first is flattened
 * and all are stored as `choices`. With tool responses between them they are one conversation: the last
 * assistant message is flattened and all messages are stored, in order, as `chat_history`.
 */
export function outputsOfMessages(messages: readonly JsonValue[]): JsonObject {
  const objects = messages.filter(isJsonObject);
  if (objects.some(({ role }) => role === 'tool')) return { ...lastAnswer(objects), chat_history: objects };
  const first = objects[0] ?? {};
  return objects.length > 1 ? { ...first, choices: objects } : { ...first };
}

function lastAnswer(messages: readonly JsonObject[]): JsonObject {
  return messages.findLast(({ role }) => role !== 'tool') ?? messages.at(-1) ?? {};
}

/** Returns the messages that {@link outputsOfMessages} made these outputs of; none for other outputs. */
export function messagesOfOutputs(outputs: JsonObject): readonly JsonValue[] {
  if (typeof outputs['role'] !== 'string') return [];
  for (const list of [outputs['chat_history'], outputs['choices']]) if (Array.isArray(list)) return list;
  return [outputs];
}
