import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';
import type { Message } from '../chat/message.js';
import { readMessage } from '../chat/read-message.js';
import { asInstructions } from './chat-readers.js';
import { asText, asUnquoted } from './readers.js';
import { asUsageObject } from './usage-object.js';

/** Placeholder texts of the kit for an absent value. */
const NOTHING = new Set(['{}', 'N/A', '<not specified>', '']);

export function asPresent(value: JsonValue): JsonValue | undefined {
  return typeof value === 'string' && NOTHING.has(value.trim()) ? undefined : asUnquoted(value);
}

/** Whether the request is non-empty: tool spans carry an empty one. The text of one may be cut. */
export function isRequest(value: JsonValue): JsonValue | undefined {
  const request = asPresent(value) ?? null;
  const isText = typeof request === 'string' && /^\s*\{\s*"/.test(request);
  return isText || isJsonObject(request) ? 'model' : undefined;
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isJsonObject(value) ? value : {};
}

/** `{model, config, contents[]}`. */
export function asRequest(value: JsonValue): JsonValue | undefined {
  const request = asPresent(value);
  if (!isJsonObject(request)) return undefined;
  const { system_instruction: instructions, tools, ...config } = objectIn(request, 'config');
  const contents = Array.isArray(request['contents']) ? request['contents'] : [];
  return {
    'config.model': asText(request['model'] ?? null) ?? null,
    'config.*': config,
    'config.tools': tools ?? null,
    'fact.history': contents.flatMap((content): Message[] => readMessage(content, 'user')),
    'fact.instructions': instructions === undefined ? null : (asInstructions(instructions) ?? null),
  };
}

/** `{content, finish_reason, usage_metadata}`. */
export function asResponse(value: JsonValue): JsonValue | undefined {
  const response = asPresent(value);
  if (!isJsonObject(response)) return undefined;
  const finish = asText(response['finish_reason'] ?? null);
  return {
    'fact.output_messages': isJsonObject(response['content'])
      ? readMessage(response['content'], 'assistant')
      : [],
    'metadata.finish_reasons': finish === undefined ? [] : [finish],
    ...asUsageObject(response['usage_metadata'] ?? null),
  };
}
