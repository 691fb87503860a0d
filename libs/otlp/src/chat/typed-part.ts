import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';

/** Parts identified by their only key instead of a type: Bedrock Converse blocks and Gemini parts. */
const BY_KEY: Readonly<Record<string, (inner: JsonObject) => JsonObject>> = {
  toolUse: (inner) => ({ ...inner, type: 'tool_use' }),
  toolResult: (inner) => ({
    type: 'tool_result',
    id: inner['toolUseId'] ?? null,
    content: toolResult(inner['content'] ?? null),
  }),
  reasoningContent: (inner) => ({ type: 'reasoning', content: textIn(inner['reasoningText'] ?? inner) }),
  function_call: (inner) => ({ ...inner, type: 'tool_call' }),
  functionCall: (inner) => ({ ...inner, type: 'tool_call' }),
  function_response: (inner) => ({ ...inner, type: 'tool_call_response' }),
  functionResponse: (inner) => ({ ...inner, type: 'tool_call_response' }),
  inline_data: (inner) => ({ ...inner, type: 'blob', modality: modality(inner['mime_type']) }),
};

/** Whether the value is a message part: it has a type or one of the keys that identify a part. */
export function isPart(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  return (
    typeof value['type'] === 'string' || typeof value['text'] === 'string' || namingKey(value) !== undefined
  );
}

/** The part with a `type` field. A part that has a type, or whose type is unknown, is unchanged. */
export function typedPart(part: JsonObject): JsonObject {
  const key = typeof part['type'] === 'string' ? undefined : namingKey(part);
  const inner = key === undefined ? undefined : part[key];
  return key !== undefined && isJsonObject(inner) ? (BY_KEY[key]?.(inner) ?? part) : part;
}

function namingKey(part: JsonObject): string | undefined {
  return Object.keys(part).find((key) => Object.hasOwn(BY_KEY, key) && isJsonObject(part[key]));
}

/** Blocks of a tool result: texts remain parts, `json` is the value. */
function toolResult(content: JsonValue): JsonValue {
  if (!Array.isArray(content)) return content;
  const only = content.length === 1 ? content[0] : undefined;
  return isJsonObject(only) && only['json'] !== undefined ? only['json'] : content;
}

function textIn(value: JsonValue): JsonValue {
  return isJsonObject(value) ? (value['text'] ?? '') : value;
}

function modality(mimeType: JsonValue | undefined): string {
  return typeof mimeType === 'string' ? (/^(image|audio|video)\//.exec(mimeType)?.[1] ?? 'file') : 'file';
}
