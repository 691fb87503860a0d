import { isJsonObject, type JsonValue } from '@assay/domain';
import { canonicalRole, type Message } from '../chat/message.js';
import { isRawMessages, type RawMessage } from '../codec/protobuf/raw-messages.js';
import { asHistory, asOutputMessages } from '../conventions/chat-readers.js';
import type { CompiledDestination } from './rule-index.js';

/** An error in a reader does not reject the span: its attribute is stored in the metadata. */
export function accepted(destination: CompiledDestination, raw: JsonValue): JsonValue | undefined {
  const { read } = destination;
  if (isRawMessages(raw)) {
    if (read === asHistory || read === asOutputMessages) return raw.messages.map(storedMessage);
    return accepted(destination, raw.toString());
  }
  if (read === undefined) return raw;
  try {
    return read(raw);
  } catch {
    return undefined;
  }
}

/** Whether the value is one message whose content is the text itself, which begins like a list or an object in JSON. */
export function isBareText(value: JsonValue | undefined, raw: JsonValue): boolean {
  if (typeof raw !== 'string' || value === undefined) return false;
  const messages = isJsonObject(value) ? value['fact.history'] : value;
  if (!Array.isArray(messages) || messages.length !== 1) return false;
  const message = messages[0] as JsonValue;
  return isJsonObject(message) && message['content'] === raw;
}

/** What `readMessage` reads from a message with one text. */
function storedMessage(message: RawMessage): Message {
  return { ...message, role: canonicalRole(message.role) };
}
