import { isJsonObject, plainText, type JsonObject, type JsonValue } from '@assay/domain';
import type { Message } from '../chat/message.js';
import { readMessagesStrictly } from '../chat/read-messages.js';
import { asUnquoted } from '../conventions/readers.js';
import { parsed } from '../json/parse-json.js';
import type { SpanBuilder } from './span-builder.js';
import { slotOf, type Slot } from './slots.js';

const INPUT = slotOf('fact.input');
const OUTPUT = slotOf('fact.output');
const INPUT_MIME = slotOf('metadata.input_mime_type');
const OUTPUT_MIME = slotOf('metadata.output_mime_type');

/** Keys under which provider responses wrap their messages. */
export const ANSWER_LISTS = ['choices', 'messages', 'output', 'candidates', 'generations'];

/** The unstructured input of a span. */
export function wholeInput(builder: SpanBuilder): JsonValue | undefined {
  return wholeValue(builder, INPUT, INPUT_MIME, 'input.value');
}

/** The unstructured output of a span. */
export function wholeOutput(builder: SpanBuilder): JsonValue | undefined {
  return wholeValue(builder, OUTPUT, OUTPUT_MIME, 'output.value');
}

/** JSON text is parsed unless its MIME type is plain text; a text that is JSON loses its quotes. */
function wholeValue(builder: SpanBuilder, slot: Slot, mime: Slot, textKey: string): JsonValue | undefined {
  const value = builder.value(slot);
  if (value === undefined) return undefined;
  const type = builder.sourceKey(slot) === textKey ? (builder.text(mime) ?? '') : '';
  if (type.startsWith('text/')) return value;
  return type.endsWith('json') ? asUnquoted(value) : parsed(value);
}

/** Messages of an unstructured input: the list itself, or under `messages`. */
export function messagesOfInput(value: JsonValue | undefined): Message[] | undefined {
  const list = isJsonObject(value) ? value['messages'] : value;
  return list === undefined ? undefined : readMessagesStrictly(list, 'user');
}

/** Messages of an unstructured output: the value itself, or under a key of provider responses. */
export function messagesOfOutput(value: JsonValue | undefined): Message[] | undefined {
  if (value === undefined) return undefined;
  const lists = isJsonObject(value) ? ANSWER_LISTS.map((key) => value[key] ?? null) : [];
  for (const candidate of [value, ...lists]) {
    const messages = readMessagesStrictly(candidate, 'assistant');
    if (messages !== undefined) return messages;
  }
  return undefined;
}

/** The members of an object, also from JSON text; any other value as `value`. */
export function asObjectOrValue(value: JsonValue): JsonObject {
  const object = parsed(plainText(value));
  return isJsonObject(object) ? object : { value: object };
}

/** The members of an object; any other value as `value`. */
export function asObjectOrPlain(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : { value };
}
