import type { JsonObject } from '@assay/domain';
import type { Message } from './message.js';

/**
 * Outputs of a model from its output messages. Several assistant messages are choices: the first is flattened
 * and all are stored as `choices`. With tool responses between them they are one conversation: the last
 * assistant message is flattened and all messages are stored, in order, as `chat_history`.
 * @param finishReasons by choice, for messages without a finish reason
 */
export function outputsOf(messages: readonly Message[], finishReasons: readonly string[]): JsonObject {
  const complete = messages.map((message, index) => withFinishReason(message, finishReasons[index]));
  if (complete.some((message) => message.role === 'tool'))
    return { ...lastAnswer(complete), chat_history: complete };
  const first = complete[0] ?? {};
  return complete.length > 1 ? { ...first, choices: complete } : { ...first };
}

function withFinishReason(message: Message, finishReason: string | undefined): Message {
  if (message['finish_reason'] !== undefined || finishReason === undefined) return message;
  return { ...message, finish_reason: finishReason };
}

function lastAnswer(messages: readonly Message[]): JsonObject {
  return messages.findLast((message) => message.role !== 'tool') ?? messages.at(-1) ?? {};
}
