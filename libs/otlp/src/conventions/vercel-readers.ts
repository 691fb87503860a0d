import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';
import { readMessages } from '../chat/read-messages.js';
import { readToolCalls } from '../chat/tool-call.js';
import { parseContainer, parsed } from '../json/parse-json.js';
import { listItems } from '../json/unflatten.js';
import { asNumber } from './readers.js';

/** `{system?, prompt?, messages?}` of an outer span. */
export function asPrompt(value: JsonValue): JsonValue | undefined {
  const prompt = parsed(value);
  if (!isJsonObject(prompt)) {
    const messages = readMessages(prompt, 'user');
    return messages && { 'fact.history': messages };
  }
  const { system, messages, prompt: text, ...others } = prompt;
  const details = messages === undefined || text === undefined ? others : { ...others, prompt: text };
  const history = readMessages(messages ?? text ?? null, 'user') ?? [];
  const all = typeof system === 'string' ? [{ role: 'system', content: system }, ...history] : history;
  return all.length > 0 ? { 'fact.history': all, 'metadata.prompt_details': details } : undefined;
}

/** A list of JSON texts, or the JSON text of a list. */
export function asJsonItems(value: JsonValue): JsonValue | undefined {
  const list = parsed(value);
  return Array.isArray(list) ? list.map(parsed) : undefined;
}

/** One text or a list of texts; each is JSON text inside JSON. */
export function asEmbedded(value: JsonValue): JsonValue | undefined {
  const list = parsed(value);
  if (Array.isArray(list)) return list.map(unwrapText);
  return list === null ? undefined : unwrapText(list);
}

function unwrapText(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  const inner = value.startsWith('"') ? parseContainer(`[${value}]`) : undefined;
  return Array.isArray(inner) ? (inner[0] ?? value) : parsed(value);
}

export function asCalls(value: JsonValue): JsonValue | undefined {
  const calls = readToolCalls(value);
  return calls.length > 0 && calls.length === listItems(parsed(value)).length ? calls : undefined;
}

/** Generated object, with its text as content. */
export function asGeneratedObject(value: JsonValue): JsonValue | undefined {
  const object = parsed(value);
  return {
    'outputs.object': object,
    'fact.answer_text': typeof value === 'string' ? value : JSON.stringify(value),
  };
}

/** Cost reported by a gateway. */
export function asProviderMetadata(value: JsonValue): JsonValue | undefined {
  const metadata = parsed(value);
  if (!isJsonObject(metadata)) return undefined;
  const cost =
    asNumber(at(metadata, 'gateway', 'cost') ?? null) ??
    asNumber(at(metadata, 'openrouter', 'usage', 'cost') ?? null);
  return { 'metadata.provider_metadata': metadata, ...(cost !== undefined && { 'fact.cost': cost }) };
}

function at(object: JsonObject, ...path: string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const key of path) value = isJsonObject(value) ? value[key] : undefined;
  return value;
}

/** `operation.name` contains the operation, a space, and the function id. */
export function operationOf(value: JsonValue): string {
  return typeof value === 'string' ? (value.trim().split(' ', 1)[0] ?? '') : '';
}
