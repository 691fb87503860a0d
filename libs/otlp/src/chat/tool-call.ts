import { isJsonObject, setOwn, type JsonObject, type JsonValue } from '@assay/domain';
import { parsed, parsedTwice } from '../json/parse-json.js';
import { listItems } from '../json/unflatten.js';
import { firstOf, textOf } from './message.js';

/**
 * Tool call in the stored form, `{id?, name, arguments}`, from every shape that instrumentations use:
 * OpenAI's `function`, Anthropic's `tool_use`, OpenInference's `tool_call`, camelCase of JavaScript SDKs.
 * @param toolOfType name of the tool where the call does not state it
 */
export function readToolCall(value: JsonValue, toolOfType?: string): JsonObject | undefined {
  const raw = parsed(value);
  if (!isJsonObject(raw)) return undefined;
  const outer = isJsonObject(raw['tool_call']) ? raw['tool_call'] : raw;
  const inner = isJsonObject(outer['function']) ? outer['function'] : outer;
  const name = textOf(inner, 'name', 'toolName', 'tool_name') ?? toolOfType;
  const args = firstOf(
    inner,
    'arguments',
    'args',
    'input',
    'parameters',
    'server_tool_call',
    'action',
    'tool_kwargs',
  );
  if (name === undefined && args === undefined) return undefined;
  // An item of the Responses API has an id of its own; results name the id of the call.
  const id = textOf(outer, 'call_id', 'id', 'toolCallId', 'tool_call_id', 'toolUseId');
  const call: JsonObject = { ...(id !== undefined && { id }), name: name ?? '' };
  if (args !== undefined) call['arguments'] = parsedTwice(args);
  if (outer['call_id'] !== undefined && outer['id'] !== undefined && outer['id'] !== id)
    call['item_id'] = outer['id'];
  const stored = [id, name, args];
  for (const fields of inner === outer ? [outer] : [outer, inner]) addOthers(call, fields, stored);
  return call;
}

/** Fields that only describe the shape of a call. */
const SHAPE_FIELDS = new Set(['type', 'index', 'function', 'tool_call']);

/** Keeps the other fields of a call under their own names. */
function addOthers(call: JsonObject, fields: JsonObject, stored: readonly (JsonValue | undefined)[]): void {
  for (const key of Object.keys(fields)) {
    const value = fields[key] as JsonValue;
    if (SHAPE_FIELDS.has(key) || value === null || value === '' || stored.includes(value)) continue;
    if (!Object.hasOwn(call, key)) setOwn(call, key, value);
  }
}

/** Tool calls of a list, which may be JSON text or a flattened array. */
export function readToolCalls(value: JsonValue | undefined): JsonObject[] {
  if (value === undefined) return [];
  return listItems(parsed(value))
    .map((call) => readToolCall(call))
    .filter((call) => call !== undefined);
}
