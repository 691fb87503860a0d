import type { JsonObject } from '@assay/domain';
import { isReasoning } from './content.js';

const CALL_TYPES = new Set([
  'tool_call',
  'tool-call',
  'tool_use',
  'function_call',
  'server_tool_call',
  'server_tool_use',
  'toolCall',
  'mcp_tool_use',
]);
const RESULT_TYPES = new Set([
  'tool_call_response',
  'tool-result',
  'tool_result',
  'function_call_output',
  'server_tool_call_response',
  'tool_response',
]);
/** Tools that the provider itself runs, among the items `<tool>_call` of the Responses API. */
const HOSTED = new Set(['web_search', 'file_search', 'code_interpreter', 'image_generation', 'mcp']);

/** Whether a part or an item of this type is a tool call. */
export function isCallType(type: string): boolean {
  return CALL_TYPES.has(type) || type.endsWith('_call');
}

/** Whether a part or an item of this type is the result of a tool call, such as `web_search_tool_result`. */
export function isResultType(type: string): boolean {
  return RESULT_TYPES.has(type) || type.endsWith('_tool_result') || type.endsWith('_call_output');
}

/** Whether the provider runs the tool of a call of this type. */
export function isServerCall(type: string): boolean {
  return type.startsWith('server') || type === 'mcp_tool_use' || HOSTED.has(type.replace(/_call$/, ''));
}

/** Name of the tool where the type of the call is its only name. */
export function toolOfType(type: string): string | undefined {
  return CALL_TYPES.has(type) || !type.endsWith('_call') ? undefined : type.slice(0, -'_call'.length);
}

/** Whether the item is a tool call, a tool result or reasoning without an enclosing message. */
export function isBarePart(raw: JsonObject): boolean {
  const { role, type } = raw;
  return (
    role === undefined &&
    typeof type === 'string' &&
    (isCallType(type) || isResultType(type) || isReasoning(raw))
  );
}
