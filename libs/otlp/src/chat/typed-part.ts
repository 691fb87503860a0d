import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';

/** Parts identified by their only key instead of a type: Bedrock Converse blocks and Gemini parts. */
const BY_KEY: Readonly<Record<string, (inner: JsonObject) => JsonObject>> = {
  toolUse: (inner) => ({ ...inner, type: 'tool_use' }),
  toolResult: ({ toolUseId: id = null, content = null, ...others }) => ({
    ...others,
    type: 'tool_result',
    id,
    content: toolResult(content),
  }),
  reasoningContent: ({ reasoningText, ...others }) => {
    const { text = '', ...beside } = isJsonObject(reasoningText) ? reasoningText : others;
    return {
      ...others,
      ...beside,
      type: 'reasoning',
      content: isJsonObject(reasoningText) ? text : (reasoningText ?? text),
    };
  },
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
  if (part['thought'] !== undefined && isThought(part)) return thoughtPart(part);
  if (typeof part['block_type'] === 'string' && part['type'] === undefined) return ofBlock(part);
  const key = typeof part['type'] === 'string' ? undefined : namingKey(part);
  if (key === undefined) return part;
  const { [key]: inner, ...beside } = part;
  return isJsonObject(inner) ? { ...beside, ...BY_KEY[key]?.(inner) } : part;
}

/** Whether the part is a text of Gemini that is marked as a thought. */
function isThought({ thought, text, content }: JsonObject): boolean {
  return (thought === true || thought === 'true') && typeof (text ?? content) === 'string';
}

function thoughtPart({ thought: _, text, content, type: __, ...beside }: JsonObject): JsonObject {
  return { ...beside, type: 'reasoning', content: text ?? content ?? '' };
}

/** A block of LlamaIndex. */
function ofBlock({ block_type: type = null, ...part }: JsonObject): JsonObject {
  return { ...part, type };
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

function modality(mimeType: JsonValue | undefined): string {
  return typeof mimeType === 'string' ? (/^(image|audio|video)\//.exec(mimeType)?.[1] ?? 'file') : 'file';
}
