import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';
import { parseContainer } from '../json/parse-json.js';
import { canonicalPart, contentOf, isReasoning, reasoningText } from './content.js';
import { canonicalRole, firstOf, textOf, type Message } from './message.js';
import { readToolCall, readToolCalls } from './tool-call.js';
import { isPart, typedPart } from './typed-part.js';

const CALL_TYPES = new Set([
  'tool_call',
  'tool-call',
  'tool_use',
  'function_call',
  'server_tool_call',
  'server_tool_use',
  'toolCall',
]);
const RESULT_TYPES = new Set([
  'tool_call_response',
  'tool-result',
  'tool_result',
  'function_call_output',
  'server_tool_call_response',
  'tool_response',
]);

/**
 * Reads one message of any known shape: parts (GenAI conventions, Vercel, Anthropic), OpenAI's `content` and
 * `tool_calls`, items of the Responses API, or a bare string. Tool responses inside it become separate
 * messages, in order.
 * @returns an empty list for a value that is not a message
 */
export function readMessage(value: JsonValue, fallbackRole: string): Message[] {
  if (typeof value === 'string') return [{ role: fallbackRole, content: value }];
  if (!isJsonObject(value)) return [];
  const raw = isJsonObject(value['message']) ? { ...value, ...value['message'] } : value;
  if (isBarePart(raw)) return new MessageReader({ role: fallbackRole }, fallbackRole).read([raw]);
  return new MessageReader(raw, fallbackRole).read(partsOf(raw));
}

/** Whether the item is a tool call, a tool result or reasoning without an enclosing message. */
function isBarePart(raw: JsonObject): boolean {
  const { role, type } = raw;
  return (
    role === undefined &&
    typeof type === 'string' &&
    (CALL_TYPES.has(type) || RESULT_TYPES.has(type) || isReasoning(raw))
  );
}

/** Whether the object has the shape of a message. */
export function isMessageLike(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  if (isJsonObject(value['message'])) return isMessageLike(value['message']);
  const hasContent = firstOf(value, 'content', 'parts', 'tool_calls', 'function_call') !== undefined;
  return (
    (typeof value['role'] === 'string' && (hasContent || Object.hasOwn(value, 'content'))) ||
    isBarePart(value)
  );
}

/** Parts of a message, also from the JSON text of a list of parts. */
function partsOf(raw: JsonObject): readonly JsonValue[] {
  const value = firstOf(raw, 'parts', 'content', 'contents');
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
  private calls: JsonObject[] = [];
  private reasoning: string[] = [];

  constructor(
    private readonly raw: JsonObject,
    fallbackRole: string,
  ) {
    this.role = canonicalRole(textOf(raw, 'role') ?? fallbackRole);
  }

  read(parts: readonly JsonValue[]): Message[] {
    for (const part of parts) this.readPart(part);
    this.calls = this.calls.concat(readToolCalls(this.raw['tool_calls'] ?? this.raw['toolCalls']));
    const call = isJsonObject(this.raw['function_call'])
      ? readToolCall(this.raw['function_call'])
      : undefined;
    if (call !== undefined) this.calls.push(call);
    const reasoning = textOf(this.raw, 'reasoning', 'reasoning_content');
    if (reasoning !== undefined) this.reasoning.push(reasoning);
    if (this.messages.length === 0 || this.holdsAnything()) this.close();
    return this.messages;
  }

  private readPart(value: JsonValue): void {
    if (!isJsonObject(value)) {
      if (value !== null) this.parts.push(typeof value === 'string' ? { type: 'text', text: value } : value);
      return;
    }
    const part = typedPart(value);
    const type = textOf(part, 'type') ?? '';
    if (RESULT_TYPES.has(type)) this.addResult(part);
    else if (CALL_TYPES.has(type)) this.addCall(type, part);
    else if (isReasoning(part)) this.reasoning.push(reasoningText(part));
    else this.parts.push(canonicalPart(part));
  }

  private addCall(type: string, part: JsonObject): void {
    const call = readToolCall(part);
    if (call === undefined) this.parts.push(part);
    else this.calls.push(type.startsWith('server') ? { ...call, type: 'server' } : call);
  }

  private addResult(part: JsonObject): void {
    if (this.holdsAnything()) this.close();
    const id = textOf(part, 'tool_call_id', 'toolCallId', 'tool_use_id', 'call_id', 'id');
    const name = textOf(part, 'name', 'toolName');
    const content = toolContent(resultOf(part));
    this.messages.push({
      role: 'tool',
      content,
      ...(name !== undefined && { name }),
      ...(id !== undefined && { tool_call_id: id }),
    });
  }

  private holdsAnything(): boolean {
    return this.parts.length + this.calls.length + this.reasoning.length > 0;
  }

  private close(): void {
    const content = this.role === 'tool' ? toolContent(this.parts) : contentOf(this.parts);
    const message: Message = { role: this.role, content };
    this.addOptional(message);
    this.messages.push(message);
    this.parts = [];
    this.calls = [];
    this.reasoning = [];
  }

  private addOptional(message: Message): void {
    const name = textOf(this.raw, 'name');
    const id =
      textOf(this.raw, 'tool_call_id', 'toolCallId') ??
      (this.role === 'tool' ? textOf(this.raw, 'id') : undefined);
    const finish = textOf(this.raw, 'finish_reason', 'finishReason');
    if (name !== undefined) message['name'] = name;
    if (this.calls.length > 0) message['tool_calls'] = this.calls;
    if (id !== undefined) message['tool_call_id'] = id;
    if (this.reasoning.some(Boolean)) message['reasoning'] = this.reasoning.filter(Boolean).join('\n');
    if (finish !== undefined) message['finish_reason'] = finish;
  }
}

/** Value of a tool response; newer JavaScript SDKs wrap it as `{type, value}`. */
function resultOf(part: JsonObject): JsonValue {
  const result = firstOf(part, 'response', 'result', 'output', 'content') ?? '';
  return isJsonObject(result) && typeof result['type'] === 'string' && result['value'] !== undefined
    ? result['value']
    : result;
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
