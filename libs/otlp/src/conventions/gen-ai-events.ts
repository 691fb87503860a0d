import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';
import type { Message } from '../chat/message.js';
import { textOf } from '../chat/message.js';
import { readMessage } from '../chat/read-message.js';
import { parsed } from '../json/parse-json.js';
import { pathSegments, unflatten } from '../json/unflatten.js';
import type { SpanEvent } from '../messages.js';
import { asCount } from './readers.js';

/** Span events that carry one message of the history, with the role implied by their name. */
export const MESSAGE_EVENTS: Readonly<Record<string, string>> = {
  'gen_ai.system.message': 'system',
  'gen_ai.user.message': 'user',
  'gen_ai.assistant.message': 'assistant',
  'gen_ai.tool.message': 'tool',
};
/** Span event that carries one choice of the response. */
export const CHOICE_EVENT = 'gen_ai.choice';
/** Span events that carry a whole prompt or completion, with the attribute that contains it. */
export const CONTENT_EVENTS: Readonly<Record<string, string>> = {
  'gen_ai.content.prompt': 'gen_ai.prompt',
  'gen_ai.content.completion': 'gen_ai.completion',
};

/** Attribute that holds the whole body as JSON text. */
const BODY_ATTRIBUTE = 'gen_ai.event.content';

/** Body of a span event: JSON in one attribute, or its attributes, flattened or not. */
function bodyOf(event: SpanEvent): JsonObject {
  const content = parsed(event.attributes.get(BODY_ATTRIBUTE) ?? null);
  if (isJsonObject(content)) return content;
  const entries = [...event.attributes].flatMap(([key, value]) => {
    const segments = pathSegments(key);
    return segments === undefined || !BODY_FIELDS.has(segments[0] ?? '') ? [] : [{ segments, value }];
  });
  const body = unflatten(entries);
  return isJsonObject(body) ? body : {};
}

/** First segments of the attributes that are the body of an event. */
const BODY_FIELDS = new Set([
  'content',
  'role',
  'name',
  'id',
  'index',
  'message',
  'tool_calls',
  'tool_call_id',
  'finish_reason',
  'reasoning',
  'reasoning_content',
  'refusal',
  'tool',
]);

/** Whether one attribute holds the whole body. */
function isWholeBody({ attributes }: SpanEvent): boolean {
  return isJsonObject(parsed(attributes.get(BODY_ATTRIBUTE) ?? null));
}

/** Attributes of an event that its message does not contain. */
export function attributesBesideBody(event: SpanEvent): [string, JsonValue][] {
  const isWhole = isWholeBody(event);
  return [...event.attributes].filter(([key]) =>
    isWhole ? key !== BODY_ATTRIBUTE : !isBody(key, event.name),
  );
}

function isBody(key: string, name: string): boolean {
  if (key === 'id' && name === CHOICE_EVENT) return false;
  const dot = key.indexOf('.');
  return BODY_FIELDS.has(dot === -1 ? key : key.slice(0, dot));
}

/** Messages of a message event: one, or one per tool response in it. */
export function messagesOfEvent(event: SpanEvent, role: string): Message[] {
  return messagesOfBody(bodyOf(event), role);
}

/** Like {@link messagesOfEvent}, for the body of an event. */
export function messagesOfBody(body: JsonObject, role: string): Message[] {
  const { message, ...own } = body;
  const inner = parsed(message ?? null);
  return readMessage({ role, ...own, ...(inner !== null && { message: inner }) }, role);
}

export interface Choice {
  readonly index: number;
  readonly messages: Message[];
}

/** Choice of a choice event. Its message is structured, JSON text, or plain text. */
export function choiceOfEvent(event: SpanEvent): Choice {
  const body = bodyOf(event);
  // The id among the attributes of a choice stays an attribute.
  return choiceOfBody(isWholeBody(event) ? body : { ...body, id: null });
}

export function choiceOfBody(body: JsonObject): Choice {
  const message = parsed(body['message'] ?? null);
  const content = isJsonObject(message) ? message : message === null ? {} : { content: message };
  const finish = textOf(body, 'finish_reason');
  const raw: JsonObject = { ...body, ...content, ...(finish !== undefined && { finish_reason: finish }) };
  const { message: _, id, ...rest } = raw;
  if (id !== undefined && id !== null) rest['id'] = id;
  // A choice has its content in the message; content beside it is a detail.
  if (message !== null && body['content'] !== undefined) rest['choice_content'] = body['content'];
  return {
    index: asCount(body['index'] ?? 0) ?? 0,
    messages: readMessage({ role: 'assistant', ...rest }, 'assistant'),
  };
}
