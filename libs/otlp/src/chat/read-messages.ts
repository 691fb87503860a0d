import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';
import { parsed } from '../json/parse-json.js';
import type { Message } from './message.js';
import { isMessageLike, readMessage } from './read-message.js';

/**
 * Reads a list of messages: structured, JSON text, a list of JSON texts, a single message, or a bare string,
 * which becomes one message with `role`.
 * @returns undefined when it contains no message
 */
export function readMessages(value: JsonValue, role: string): Message[] | undefined {
  const list = parsed(value);
  if (Array.isArray(list)) return found(messagesOf(list, role));
  if (isJsonObject(list)) return wrapped(list, role) ?? found(readMessage(list, role));
  return typeof list === 'string' && list.trim() !== '' ? [{ role, content: list }] : undefined;
}

function messagesOf(list: readonly JsonValue[], role: string): Message[] {
  const messages: Message[] = [];
  for (const item of list)
    for (const message of readMessage(typeof item === 'string' ? parsed(item) : item, role))
      messages.push(message);
  return messages.length === 0 ? messages : withUnreadable(messages, list, role);
}

/** Adds items that are not messages as messages that contain them. */
function withUnreadable(messages: Message[], list: readonly JsonValue[], role: string): Message[] {
  for (const item of list) {
    const inner = typeof item === 'string' ? parsed(item) : item;
    if (typeof inner === 'number' || typeof inner === 'boolean' || Array.isArray(inner))
      messages.push({ role, content: inner });
  }
  return messages;
}

/** Messages of an object that holds a list of them; its other fields become details of the first message. */
function wrapped({ messages: list, ...others }: JsonObject, role: string): Message[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const [first, ...rest] = readMessages(list, role) ?? [];
  if (first === undefined || Object.keys(others).length === 0) return first && [first, ...rest];
  const { details = [] } = first;
  return [{ ...first, details: [others, ...(details as JsonValue[])] }, ...rest];
}

/**
 * Like {@link readMessages}, for an arbitrary value: undefined unless it is clearly a list of messages or one
 * message.
 */
export function readMessagesStrictly(value: JsonValue, role: string): Message[] | undefined {
  if (isJsonObject(value)) return isMessageLike(value) ? found(readMessage(value, role)) : undefined;
  if (!Array.isArray(value) || value.length === 0 || !value.every(isMessageLike)) return undefined;
  return readMessages(value, role);
}

function found(messages: Message[]): Message[] | undefined {
  return messages.length > 0 ? messages : undefined;
}
