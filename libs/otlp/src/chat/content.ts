import { isJsonObject, setOwn, type JsonObject, type JsonValue } from '@assay/domain';
import { asDataUrl } from './data-url.js';
import { firstOf, textOf } from './message.js';

/** Content and tool calls of one message. Text and other parts keep their order. */
export interface Content {
  readonly parts: JsonValue[];
  readonly reasoning: string[];
}

/** Part types that contain text, with the field that holds it. */
const TEXT_TYPES = new Set(['text', 'input_text', 'output_text', 'refusal', 'summary_text']);
const REASONING_TYPES = new Set(['reasoning', 'thinking', 'redacted_thinking', 'reasoning_text']);
const MEDIA_TYPES = new Set([
  'image',
  'audio',
  'video',
  'file',
  'image_url',
  'input_image',
  'input_audio',
  'input_file',
  'blob',
  'uri',
  'document',
]);

export function isReasoning(part: JsonObject): boolean {
  return typeof part['type'] === 'string' && REASONING_TYPES.has(part['type']);
}

/** Fields that may hold reasoning as a list of texts. */
const REASONING_LISTS = ['summary', 'thinking', 'content'] as const;

/** The texts of which the reasoning consists, where it is a list. */
export function reasoningList(part: JsonObject): readonly JsonValue[] | undefined {
  for (const key of REASONING_LISTS) {
    const list = part[key];
    if (Array.isArray(list) && list.length > 0) return list;
  }
  return undefined;
}

export function reasoningText(part: JsonObject): string {
  const list = reasoningList(part);
  if (list === undefined) return textOf(part, 'content', 'text', 'thinking', 'reasoning', 'summary') ?? '';
  return list.flatMap((item) => (isJsonObject(item) ? (textOf(item, 'text') ?? []) : [])).join('\n');
}

/**
 * Part in the stored form: `{type: 'text', text}`, `{type: 'image' | 'audio' | 'video' | 'file', …}`; any
 * other part is unchanged.
 */
export function canonicalPart(part: JsonObject): JsonValue {
  const type = textOf(part, 'type') ?? (Object.hasOwn(part, 'text') ? 'text' : '');
  const text = TEXT_TYPES.has(type) ? firstOf(part, 'text', 'content', 'refusal') : undefined;
  if (typeof text === 'string') return { type: 'text', text };
  return MEDIA_TYPES.has(type) ? mediaPart(type, part) : part;
}

function mediaPart(type: string, part: JsonObject): JsonObject {
  const kind = mediaKind(type, part);
  const bytes = withDataUrl(part);
  if (bytes !== undefined) return mediaPart(type, bytes);
  const source = firstOf(part, 'image_url', 'image', 'source', 'input_audio', 'file', 'audio') ?? part;
  const fields = isJsonObject(source) ? { ...part, ...source } : part;
  const media: JsonObject = { type: kind };
  const nested = typeof source === 'string' ? source : undefined;
  const url =
    textOf(fields, 'url', 'uri', 'image_url') ?? (nested !== undefined && isUrl(nested) ? nested : undefined);
  const found: Record<string, string | undefined> = {
    url,
    file_id: textOf(fields, 'file_id'),
    data: textOf(fields, 'data', 'content', 'file_data') ?? (url === undefined ? nested : undefined),
    mime_type: textOf(fields, 'mime_type', 'media_type', 'mediaType', 'mimeType'),
    name: textOf(fields, 'name', 'filename'),
  };
  for (const [key, value] of Object.entries(found)) if (value !== undefined) media[key] = value;
  if (Object.keys(media).length === 1) return part;
  addOthers(media, fields, [...Object.values(found), source, kind]);
  return media;
}

/** Fields that hold the bytes of a medium in the parts of JavaScript libraries. */
const BYTE_FIELDS = ['image', 'data', 'file', 'audio'];

/** The part with its bytes as a data URL; undefined for a part without bytes. */
function withDataUrl(part: JsonObject): JsonObject | undefined {
  for (const field of BYTE_FIELDS) {
    const url = asDataUrl(
      part[field] ?? null,
      textOf(part, 'mediaType', 'mimeType', 'mime_type', 'media_type'),
    );
    if (url === undefined) continue;
    const { [field]: _, ...beside } = part;
    return { ...beside, url };
  }
  return undefined;
}

/** Keeps the other fields of a part under their own names. */
function addOthers(media: JsonObject, fields: JsonObject, stored: readonly (JsonValue | undefined)[]): void {
  for (const key of Object.keys(fields)) {
    const value = fields[key] as JsonValue;
    if (value !== null && value !== '' && !stored.includes(value) && !Object.hasOwn(media, key))
      setOwn(media, key, value);
  }
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text);
}

function mediaKind(type: string, part: JsonObject): string {
  const modality = textOf(part, 'modality');
  if (modality !== undefined) return modality;
  const known = ['image', 'audio', 'video'].find((kind) => type.includes(kind));
  return known ?? 'file';
}

/**
 * Text parts joined by line breaks, or the parts themselves when one is not text; null when there are none.
 */
export function contentOf(parts: readonly JsonValue[]): JsonValue {
  if (parts.length === 0) return null;
  const texts = parts.map((part) =>
    isJsonObject(part) && part['type'] === 'text' ? part['text'] : undefined,
  );
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : [...parts];
}
