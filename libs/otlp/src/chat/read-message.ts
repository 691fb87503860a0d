import { isJsonObject, setOwn, type JsonObject, type JsonValue } from '@assay/domain';
import { parseContainer, parsed } from '../json/parse-json.js';
import { listItems } from '../json/unflatten.js';
import { canonicalPart, contentOf, isReasoning, reasoningList, reasoningText } from './content.js';
import { canonicalRole, firstOf, textOf, type Message } from './message.js';
import { MessageCalls } from './merge-calls.js';
import { isBarePart, isCallType, isResultType, isServerCall, toolOfType } from './part-kinds.js';
import { plainMessage } from './plain-message.js';
import { readToolCall, readToolCalls } from './tool-call.js';
import { isPart, typedPart } from './typed-part.js';

/**
 * Reads one message of any known shape: parts (GenAI conventions, Vercel, Anthropic), OpenAI's `content` and
 * `tool_calls`, items of the Responses API, or a bare string. Tool responses inside it become separate
 * messages, in order.
 * @returns an empty list for a value that is not a message
 */
export function readMessage(value: JsonValue, fallbackRole: string): Message[] {
  if (typeof value === 'string') return [{ role: fallbackRole, content: value }];
  if (!isJsonObject(value)) return [];
  const raw = plainMessage(value);
  // Only the assistant thinks and calls tools; the messages of results have a role of their own.
  if (isBarePart(raw)) return new MessageReader({ parts: [raw] }, 'assistant', 'parts').read();
  return new MessageReader(raw, fallbackRole, contentField(raw)).read();
}

/** Whether the object has the shape of a message. */
export function isMessageLike(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const raw = plainMessage(value);
  const hasContent = firstOf(raw, ...SPEAKING_FIELDS) !== undefined;
  return (
    (typeof raw['role'] === 'string' && (hasContent || Object.hasOwn(raw, 'content'))) || isBarePart(raw)
  );
}

/** Whether the object may be a message: it has one of the fields of messages. */
export function hasMessageField(value: JsonObject): boolean {
  if (typeof value['role'] === 'string') return true;
  const raw = plainMessage(value);
  return Object.hasOwn(raw, 'role') || firstOf(raw, ...MESSAGE_FIELDS) !== undefined || isBarePart(raw);
}

const MESSAGE_FIELDS = ['content', 'parts', 'contents', 'tool_calls', 'toolCalls', 'function_call'] as const;
const SPEAKING_FIELDS = [...MESSAGE_FIELDS, 'text', 'blocks'] as const;

/** Fields that hold reasoning as a text. */
const REASONING_FIELDS = new Set(['reasoning', 'reasoning_content', 'thinking']);

/** Fields that may hold the content of a message. */
const CONTENT_FIELDS = ['parts', 'content', 'contents', 'blocks', 'text'] as const;

/** Field that holds the content: the first that is not empty, else the first that is present. */
function contentField(raw: JsonObject): string | undefined {
  let present: string | undefined;
  for (const field of CONTENT_FIELDS) {
    const value = raw[field];
    if (value === undefined || value === null) continue;
    if (value !== '' && !(Array.isArray(value) && value.length === 0)) return field;
    present ??= field;
  }
  return present;
}

/** Parts of a message, also from the JSON text of a list of parts. */
function partsOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  if (value === undefined) return [];
  if (typeof value !== 'string') return [value];
  const list = value.startsWith('[{') ? parseContainer(value) : undefined;
  return Array.isArray(list) && list.every(isPart) ? list : [value];
}

/** Iterates over the parts of one message and starts a new message at each tool response. */
class MessageReader {
  private readonly messages: Message[] = [];
  private readonly role: string;
  private parts: JsonValue[] = [];
  private calls = new MessageCalls();
  private reasoning: string[] = [];
  private details: JsonValue[] = [];

  constructor(
    private readonly raw: JsonObject,
    fallbackRole: string,
    /** Field that holds the content. */
    private readonly content: string | undefined,
  ) {
    this.role = canonicalRole(textOf(raw, 'role') ?? fallbackRole);
  }

  read(): Message[] {
    const content = this.content === undefined ? undefined : this.raw[this.content];
    for (const part of partsOf(content)) this.readPart(part);
    for (const key in this.raw) {
      const value = this.raw[key] as JsonValue;
      // A role or a name that is an object is none.
      if (key !== this.content && (!STORED_FIELDS.has(key) || typeof value === 'object'))
        this.readField(key, value);
    }
    if (this.reasoning.length === 0) this.readReasoningBlocks();
    if (this.messages.length === 0 || this.holdsAnything()) this.close();
    return this.messages;
  }

  /** Reads a field other than the content; a field that a message does not have becomes a detail. */
  private readField(key: string, value: JsonValue): void {
    if (value === null || value === '') return;
    if (key === 'tool_calls' || key === 'toolCalls') this.readCalls(value);
    else if (key === 'function_call' && isJsonObject(value)) this.addCall('', value);
    else if (REASONING_FIELDS.has(key) && typeof value === 'string') {
      if (!this.reasoning.includes(value)) this.reasoning.push(value);
    } else if (!this.isStored(key, value)) this.addDetails({ [key]: value });
  }

  /** Blocks repeat the reasoning with its signature; they are the only reasoning where no text tells it. */
  private readReasoningBlocks(): void {
    const blocks = this.raw['thinking_blocks'] ?? this.raw['reasoning_details'];
    if (!Array.isArray(blocks)) return;
    for (const block of blocks) if (isJsonObject(block)) this.reasoning.push(reasoningText(block));
  }

  private isStored(key: string, value: JsonValue): boolean {
    if (key === 'id' && this.role === 'tool') return value === this.toolCallId();
    if (!(CONTENT_FIELDS as readonly string[]).includes(key)) return false;
    if (Array.isArray(value) && value.length === 0) return true;
    return this.parts.some((part) => isJsonObject(part) && part['text'] === value);
  }

  /** The `id` of a result is that of its call where no other field tells it. */
  private toolCallId(): string | undefined {
    const id = textOf(this.raw, 'tool_call_id', 'toolCallId');
    return id ?? (this.role === 'tool' ? textOf(this.raw, 'id') : undefined);
  }

  private readCalls(value: JsonValue): void {
    const list = parsed(value);
    const calls = readToolCalls(list);
    if (calls.length < listItems(list).length || calls.length === 0) this.addDetails({ tool_calls: list });
    for (const call of calls) this.calls.add(call);
  }

  /** Keeps fields that the stored form of a message or a part does not have. */
  private addDetails(fields: JsonObject): void {
    if (Object.keys(fields).length > 0) this.details.push(fields);
  }

  private readPart(value: JsonValue): void {
    if (!isJsonObject(value)) {
      if (value !== null) this.parts.push(typeof value === 'string' ? { type: 'text', text: value } : value);
      return;
    }
    const part = typedPart(value);
    const type = textOf(part, 'type') ?? '';
    if (isResultType(type)) this.addResult(part);
    else if (isCallType(type)) this.addCall(type, part);
    else if (isReasoning(part)) this.addReasoning(part);
    else this.addPart(part);
  }

  private addReasoning(part: JsonObject): void {
    const text = reasoningText(part);
    this.reasoning.push(text);
    const list = reasoningList(part);
    const isRead = list?.every(isTextOnly) === true;
    this.addDetails(fieldsBeside(part, isRead ? [text, list as JsonValue] : [text]));
  }

  private addPart(part: JsonObject): void {
    const canonical = canonicalPart(part);
    this.parts.push(canonical);
    if (!isJsonObject(canonical) || canonical['type'] !== 'text' || canonical === part) return;
    const text = canonical['text'] ?? null;
    // A part with only its type and its text is the usual case.
    for (const key in part)
      if (key !== 'type' && part[key] !== text) return this.addDetails(fieldsBeside(part, [text]));
  }

  private addCall(type: string, part: JsonObject): void {
    const call = readToolCall(part, toolOfType(type));
    if (call === undefined && type === '') this.addDetails({ function_call: part });
    else if (call === undefined) this.parts.push(part);
    else this.calls.add(isServerCall(type) ? { ...call, type: 'server' } : call);
  }

  private addResult(part: JsonObject): void {
    if (this.holdsAnything()) this.close();
    const id = textOf(part, 'tool_call_id', 'toolCallId', 'tool_use_id', 'call_id', 'id');
    const name = textOf(part, 'name', 'toolName');
    const content = toolContent(resultOf(part));
    const details = fieldsBeside(part, [id ?? null, name ?? null, resultField(part)]);
    this.messages.push({
      role: 'tool',
      content,
      ...(name !== undefined && { name }),
      ...(id !== undefined && { tool_call_id: id }),
      ...(Object.keys(details).length > 0 && { details: [details] }),
    });
  }

  private holdsAnything(): boolean {
    return this.parts.length + this.calls.list.length + this.reasoning.length + this.details.length > 0;
  }

  private close(): void {
    const content = this.role === 'tool' ? toolContent(this.parts) : contentOf(this.parts);
    const message: Message = { role: this.role, content };
    this.addOptional(message);
    this.messages.push(message);
    this.parts = [];
    this.calls = new MessageCalls();
    this.reasoning = [];
    this.details = [];
  }

  private addOptional(message: Message): void {
    const name = textOf(this.raw, 'name');
    const id = this.toolCallId();
    const finish = textOf(this.raw, 'finish_reason', 'finishReason');
    if (name !== undefined) message['name'] = name;
    if (this.calls.list.length > 0) message['tool_calls'] = this.calls.list;
    if (id !== undefined) message['tool_call_id'] = id;
    if (this.reasoning.some(Boolean)) message['reasoning'] = this.reasoning.filter(Boolean).join('\n');
    if (finish !== undefined) message['finish_reason'] = finish;
    if (this.details.length > 0) message['details'] = this.details;
  }
}

/** Fields that a message stores, or that only describe its place and its shape. */
const STORED_FIELDS = new Set([
  'role',
  'name',
  'tool_call_id',
  'toolCallId',
  'finish_reason',
  'finishReason',
  'type',
  'index',
  'event.name',
  'gen_ai.message.index',
]);

function isTextOnly(item: JsonValue): boolean {
  return isJsonObject(item) && Object.keys(item).every((key) => key === 'type' || key === 'text');
}

/** Fields of a part other than its type and the values that are stored elsewhere. */
function fieldsBeside(part: JsonObject, stored: readonly JsonValue[]): JsonObject {
  const rest: JsonObject = {};
  for (const key of Object.keys(part)) {
    const value = part[key] as JsonValue;
    if (key !== 'type' && value !== null && value !== '' && !stored.includes(value)) setOwn(rest, key, value);
  }
  return rest;
}

/** Value of a tool response; newer JavaScript SDKs wrap it as `{type, value}`. */
function resultOf(part: JsonObject): JsonValue {
  const result = resultField(part);
  return isJsonObject(result) && typeof result['type'] === 'string' && result['value'] !== undefined
    ? result['value']
    : result;
}

function resultField(part: JsonObject): JsonValue {
  return firstOf(part, 'response', 'result', 'output', 'content', 'server_tool_call_response') ?? '';
}

/** Tool result as text: text parts are joined, any other value becomes compact JSON. */
function toolContent(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  if (value.length === 0) return '';
  const parts = value.map((part) =>
    isJsonObject(part) ? canonicalPart(part) : typeof part === 'string' ? { type: 'text', text: part } : part,
  );
  const content = contentOf(parts);
  return typeof content === 'string' ? content : JSON.stringify(value);
}
