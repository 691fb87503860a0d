import type { MediaPart, MessagePart } from './message.js';
import {
  CutValue,
  ExactNumber,
  isValueObject,
  printValue,
  type Value,
  type ValueObject,
} from './read-value.js';

const MEDIA = new Set([
  'image',
  'audio',
  'video',
  'file',
  'image_url',
  'input_audio',
  'input_image',
  'document',
]);
const CALLS = new Set(['tool_use', 'tool_call', 'function_call', 'server_tool_use']);
const REASONING = new Set(['reasoning', 'thinking']);

/** Parts of the content of a message: a text, a list of parts, or any other value as JSON. */
export function contentParts(content: Value | undefined): readonly MessagePart[] {
  if (content === undefined || content === null || content === '') return [];
  if (Array.isArray(content)) return content.map(listPart);
  return [valuePart(content)];
}

function listPart(part: Value): MessagePart {
  if (!isValueObject(part)) return valuePart(part);
  const type = textOf(part['type']);
  if (isOnlyText(part)) return { ...textPart('text', part['text'] ?? '') };
  if (REASONING.has(type)) return reasoningPart(part);
  if (CALLS.has(type)) return callPart(part);
  return MEDIA.has(type) ? mediaPart(type, part) : { kind: 'json', text: printValue(part) };
}

function isOnlyText(part: ValueObject): boolean {
  const others = Object.keys(part).filter((key) => key !== 'type' && key !== 'text');
  return others.length === 0 && isText(part['text']);
}

function reasoningPart(part: ValueObject): MessagePart {
  const text = [part['text'], part['content'], part['thinking'], part['reasoning']].find(isText);
  return text === undefined ? { kind: 'json', text: printValue(part) } : textPart('reasoning', text);
}

/** A call in the stored form, `{id?, name, arguments}`, or as a part of Anthropic's. */
export function callPart(call: Value): MessagePart {
  if (!isValueObject(call)) return { kind: 'json', text: printValue(call) };
  const inner = isValueObject(call['function']) ? call['function'] : call;
  const { arguments: given, input, parameters, ...others } = inner;
  const values = given ?? input ?? parameters ?? null;
  const beside = Object.fromEntries(Object.entries(others).filter(([key]) => !CALL_FIELDS.has(key)));
  const printed = values === null ? '' : typeof values === 'string' ? values : printValue(values);
  const details = Object.keys(beside).length === 0 ? '' : `\n${printValue(beside)}`;
  const id = textOf(call['id']) || textOf(call['tool_call_id']) || textOf(call['call_id']);
  return { kind: 'call', id, name: textOf(inner['name']), arguments: printed + details };
}

const CALL_FIELDS = new Set(['id', 'name', 'type', 'tool_call_id', 'call_id', 'function']);

/** A value as a text, or as JSON text. */
export function valuePart(value: Value): MessagePart {
  if (isText(value)) return asDataUrl(value) ?? textPart('text', value);
  return { kind: 'json', text: printValue(value) };
}

/** A field of inputs or outputs that is no message. */
export function fieldPart(name: string, value: Value): MessagePart {
  const media = isText(value) ? asDataUrl(value) : undefined;
  if (media !== undefined) return { ...media, name };
  if (typeof value === 'string') return { kind: 'field', name, text: value, isJson: false };
  if (value instanceof CutValue && isText(value))
    return { kind: 'field', name, text: value.beginning, isJson: false, rest: value.range };
  return { kind: 'field', name, text: printValue(value), isJson: true };
}

export function textPart(kind: 'text' | 'reasoning', value: Value): MessagePart {
  if (value instanceof CutValue) return { kind, text: value.beginning, rest: value.range };
  return { kind, text: typeof value === 'string' ? value : printValue(value) };
}

function mediaPart(type: string, part: ValueObject): MessagePart {
  const source = ['image_url', 'image', 'source', 'input_audio', 'file', 'audio'].map((key) => part[key]);
  const fields = source.filter(isValueObject).reduce((all, one) => ({ ...all, ...one }), part);
  const given = [fields['url'], ...source, fields['uri']].find(isText);
  const mimeType = textOf(fields['mime_type']) || textOf(fields['media_type']) || textOf(fields['mimeType']);
  const medium = ['image', 'audio', 'video'].find((kind) => type.includes(kind)) ?? 'file';
  const about = { kind: 'media', medium, mimeType, name: textOf(fields['name']) } as const;
  const found = given === undefined ? undefined : asDataUrl(given);
  if (found !== undefined) return { ...found, medium, name: about.name };
  const data = fields['data'] ?? null;
  if (data instanceof CutValue) return { ...about, dataUrl: '', rest: data.range, elsewhere: '' };
  if (typeof data === 'string' && mimeType !== '')
    return { ...about, dataUrl: `data:${mimeType};base64,${data}`, elsewhere: '' };
  const elsewhere = textOf(given ?? null) || textOf(fields['file_id']);
  return elsewhere === '' ? { kind: 'json', text: printValue(part) } : { ...about, dataUrl: '', elsewhere };
}

/** A data URL with base64, short or cut; undefined for any other text. */
export function asDataUrl(value: Value): MediaPart | undefined {
  const text = value instanceof CutValue ? value.beginning : textOf(value);
  const mimeType = /^data:([a-z]+\/[\w.+-]+)[^,]{0,100};base64,/i.exec(text)?.[1]?.toLowerCase();
  if (mimeType === undefined) return undefined;
  const medium = mimeType.split('/')[0] ?? 'file';
  const about = { kind: 'media', medium, mimeType, name: '', elsewhere: '' } as const;
  return value instanceof CutValue
    ? { ...about, dataUrl: '', rest: value.range }
    : { ...about, dataUrl: text };
}

export function isText(value: Value | undefined): value is string | CutValue {
  return typeof value === 'string' || (value instanceof CutValue && value.isText);
}

export function textOf(value: Value | undefined): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return value instanceof ExactNumber ? value.digits : '';
}
