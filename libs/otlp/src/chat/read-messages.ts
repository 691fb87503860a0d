import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';
import { parsed, parsedTwice } from '../json/parse-json.js';
import { TurnJoiner } from './join-turns.js';
import type { Message } from './message.js';
import { flattenBatch } from './plain-message.js';
import { joinStreamedCandidates } from './streamed-candidates.js';
import { hasMessageField, isMessageLike, readMessage } from './read-message.js';

/** Fields under which requests and responses hold their messages. */
const WRAPPERS = ['choices', 'candidates', 'generations'] as const;

/**
 * Reads a list of messages: structured, JSON text, a list of JSON texts, a single message, the wrappers of providers and frameworks,
 * or a bare string, which becomes one message with `role`.
 * @returns undefined when it contains no message: an object without any field of a message is not one
 */
export function readMessages(value: JsonValue, role: string): Message[] | undefined {
  const list = parsedTwice(value);
  if (Array.isArray(list)) {
    const streamed = joinStreamedCandidates(list);
    return streamed === undefined ? found(messagesOf(flattenBatch(list), role)) : wrapped(streamed, role);
  }
  if (isJsonObject(list))
    return wrapped(list, role) ?? (hasMessageField(list) ? found(readMessage(list, role)) : undefined);
  return typeof list === 'string' && list.trim() !== '' ? [{ role, content: list }] : undefined;
}

function messagesOf(list: readonly JsonValue[], role: string): Message[] {
  if (list.length > 0 && list.every((item) => isJsonObject(item) && !hasMessageField(item))) return [];
  const joiner = new TurnJoiner();
  for (const item of list) {
    const inner = typeof item === 'string' ? parsed(item) : item;
    joiner.add(inner, readMessage(inner, role));
  }
  const { messages } = joiner;
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
function wrapped(value: JsonObject, role: string): Message[] | undefined {
  const key = Array.isArray(value['messages'])
    ? 'messages'
    : WRAPPERS.find((one) => holdsMessages(value[one]));
  if (key === undefined) return undefined;
  const { [key]: list = null, ...others } = value;
  const [first, ...rest] = readMessages(list, role) ?? [];
  if (first === undefined) return undefined;
  const beside = Object.fromEntries(Object.entries(others).filter(([, item]) => item !== null));
  if (Object.keys(beside).length === 0) return [first, ...rest];
  const { details = [] } = first;
  return [{ ...first, details: [beside, ...(details as JsonValue[])] }, ...rest];
}

function holdsMessages(list: JsonValue | undefined): boolean {
  return Array.isArray(list) && list.length > 0 && flattenBatch(list).every(isMessageLike);
}

/**
 * Like {@link readMessages}, for an arbitrary value: undefined unless it is clearly a list of messages or one
 * message.
 */
export function readMessagesStrictly(value: JsonValue, role: string): Message[] | undefined {
  if (isJsonObject(value)) return isMessageLike(value) ? found(readMessage(value, role)) : undefined;
  if (!Array.isArray(value)) return undefined;
  const isRead = holdsMessages(value) || joinStreamedCandidates(value) !== undefined;
  return isRead ? readMessages(value, role) : undefined;
}

function found(messages: Message[]): Message[] | undefined {
  return messages.length > 0 ? messages : undefined;
}
