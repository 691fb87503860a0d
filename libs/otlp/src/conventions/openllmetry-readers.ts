import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';
import { readMessage } from '../chat/read-message.js';
import { parsed } from '../json/parse-json.js';
import { listItems } from '../json/unflatten.js';

/** Unflattened `N.role`, `N.content`, … as messages. Some emitters insert an extra `message.`. */
export function asIndexedMessages(role: string): (tree: JsonValue) => JsonValue | undefined {
  return (tree) => {
    const messages = listItems(tree).flatMap((item) => readMessage(item, role));
    return messages.length > 0 ? messages : undefined;
  };
}

/** `N.name`, `N.description`, and `N.parameters` as JSON text. */
export function asFunctions(tree: JsonValue): JsonValue | undefined {
  const tools = listItems(tree).filter(isJsonObject).map(withParameters);
  return tools.length > 0 ? tools : undefined;
}

function withParameters(tool: JsonObject): JsonObject {
  const { parameters } = tool;
  return parameters === undefined ? tool : { ...tool, parameters: parsed(parameters) };
}

/**
 * Inputs and outputs of a decorated function. A JSON string becomes its text; truncated JSON is unchanged.
 */
export function asEntity(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  return isQuoted ? unquoted(value) : parsed(value);
}

function unquoted(text: string): JsonValue {
  const inner = parsed(`[${text}]`);
  return Array.isArray(inner) ? (inner[0] ?? null) : text;
}
