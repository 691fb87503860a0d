import { outputsOfMessages, type JsonObject } from '@assay/domain';
import type { Message } from './message.js';

/**
 * Outputs of a model from its output messages, see `outputsOfMessages`.
 * @param finishReasons by choice, for messages without a finish reason
 */
export function outputsOf(messages: readonly Message[], finishReasons: readonly string[]): JsonObject {
  return outputsOfMessages(messages.map((message, index) => withFinishReason(message, finishReasons[index])));
}

function withFinishReason(message: Message, finishReason: string | undefined): Message {
  if (message['finish_reason'] !== undefined || finishReason === undefined) return message;
  return { ...message, finish_reason: finishReason };
}
