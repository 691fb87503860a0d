import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';
import { mergeInner } from '../json/merge-inner.js';
import { firstOf, textOf } from './message.js';

/** Roles by the names of LangChain's message classes and by the types of its messages. */
const LANGCHAIN_ROLES: Readonly<Record<string, string>> = {
  human: 'user',
  ai: 'assistant',
  system: 'system',
  tool: 'tool',
  function: 'tool',
  developer: 'developer',
};

/**
 * Returns a message without the objects that some libraries put around its fields: `message` (OpenAI's choices), `content` with parts
 * (Gemini's candidates), the serialised classes, dictionaries and generations of LangChain.
 */
export function plainMessage(value: JsonObject): JsonObject {
  if (isGeneration(value)) return ofGeneration(value);
  const raw = isMultipart(value['content']) ? mergeInner(value, 'content') : mergeInner(value, 'message');
  return langChainMessage(raw) ?? raw;
}

/** Lists of messages of one batch of several conversations: the only list. */
export function flattenBatch(list: readonly JsonValue[]): readonly JsonValue[] {
  const only = list.length === 1 ? list[0] : undefined;
  return Array.isArray(only) ? only : list;
}

function isMultipart(content: JsonValue | undefined): boolean {
  return content !== undefined && isJsonObject(content) && Array.isArray(content['parts']);
}

function isGeneration(value: JsonObject): boolean {
  const { type } = value;
  return typeof type === 'string' && /Generation(?:Chunk)?$/.test(type) && typeof value['text'] === 'string';
}

/** `{text, message, generation_info}`: the text repeats that of the message. */
function ofGeneration({
  text = '',
  message,
  generation_info: info,
  type: _,
  ...others
}: JsonObject): JsonObject {
  const facts = isJsonObject(info ?? null) ? (info as JsonObject) : {};
  const { finish_reason: finish, ...rest } = facts;
  const details = { ...others, ...(Object.keys(rest).length > 0 && { generation_info: rest }) };
  const inner: JsonObject = isJsonObject(message ?? null)
    ? plainMessage(message as JsonObject)
    : { content: text };
  return { role: 'assistant', ...(finish !== undefined && { finish_reason: finish }), ...details, ...inner };
}

/** Fields of a serialised class (`lc`, `kwargs`), of a dictionary (`type`, `data`), or beside a `type` that stands for the role. */
function langChainMessage(raw: JsonObject): JsonObject | undefined {
  const { type, role } = raw;
  if (raw['lc'] !== undefined && isJsonObject(raw['kwargs'] ?? null)) {
    const fields = raw['kwargs'] as JsonObject;
    return withRole(fields, roleOfClass(raw['id']) ?? roleOfType(fields['type']));
  }
  if (typeof role === 'string' && isJsonObject(raw['additional_kwargs'] ?? null))
    return withRole(raw, undefined);
  const ofType = role === undefined ? roleOfType(type) : undefined;
  if (ofType === undefined) return undefined;
  if (isJsonObject(raw['data'] ?? null)) return withRole(raw['data'] as JsonObject, ofType);
  return Object.hasOwn(raw, 'content') ? withRole(raw, ofType) : undefined;
}

function roleOfType(type: JsonValue | undefined): string | undefined {
  if (typeof type !== 'string') return undefined;
  return LANGCHAIN_ROLES[type.replace(/Message(?:Chunk)?$/, '').toLowerCase()];
}

/** The last part of the path of a class, such as `AIMessageChunk`. */
function roleOfClass(path: JsonValue | undefined): string | undefined {
  return Array.isArray(path) ? roleOfType(path.at(-1)) : undefined;
}

function withRole(fields: JsonObject, role: string | undefined): JsonObject {
  const { additional_kwargs: more = null, response_metadata: response = null, type: _, ...others } = fields;
  const additional = isJsonObject(more) ? more : {};
  const answered = isJsonObject(response) ? response : {};
  const { tool_calls: given = [], reasoning_content: reasoning, function_call: called, ...rest } = additional;
  const { tool_calls: own = [] } = others;
  const calls = [...(Array.isArray(own) ? own : [own]), ...(Array.isArray(given) ? given : [given])];
  const finish = textOf(answered, 'finish_reason', 'stop_reason');
  return {
    ...(role !== undefined && { role }),
    ...withoutEmpty({ ...others, additional_kwargs: rest, response_metadata: answered }),
    content: firstOf(others, 'content') ?? null,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(called !== undefined && { function_call: called }),
    ...(finish !== undefined && { finish_reason: finish }),
  };
}

/** Serialised classes have every field, most of them empty. */
function withoutEmpty(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => {
      if (value === null || value === '') return false;
      return typeof value !== 'object' || Object.keys(value).length > 0;
    }),
  );
}
