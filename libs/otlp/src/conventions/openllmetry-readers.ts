import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';
import { readMessage } from '../chat/read-message.js';
import { parsed } from '../json/parse-json.js';
import { listItems } from '../json/unflatten.js';

/** `N.role`, `N.content` and so on, rebuilt, as messages. Some emitters put one more `message.` between. */
export function asIndexedMessages(role: string): (tree: JsonValue) => JsonValue | undefined {
  return (tree) => {
    const messages = listItems(tree).flatMap((item) => readMessage(item, role));
    return messages.length > 0 ? messages : undefined;
  };
}

/** `N.name`, `N.description`, `N.parameters`, the last as JSON text. */
export function asFunctions(tree: JsonValue): JsonValue | undefined {
  const tools = listItems(tree).filter(isJsonObject).map(withParameters);
  return tools.length > 0 ? tools : undefined;
}

function withParameters(tool: JsonObject): JsonObject {
  const { parameters } = tool;
  return parameters === undefined ? tool : { ...tool, parameters: parsed(parameters) };
}

/** Inputs and outputs of a decorated function. JSON text of a plain text is that text; truncated JSON stays as it is. */
export function asEntity(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  return isQuoted ? unquoted(value) : parsed(value);
}

function unquoted(text: string): JsonValue {
  const inner = parsed(`[${text}]`);
  return Array.isArray(inner) ? (inner[0] ?? null) : text;
}
