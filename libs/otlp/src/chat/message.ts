import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';

/**
 * Message of a conversation in the stored form: `{role, content, name?, tool_calls?, tool_call_id?,
 * reasoning?, finish_reason?}`.
 */
export type Message = JsonObject & { role: string; content: JsonValue };

const ROLES: Readonly<Record<string, string>> = {
  human: 'user',
  ai: 'assistant',
  model: 'assistant',
  bot: 'assistant',
  function: 'tool',
};

/** Stored name of a role. Unknown roles are unchanged. */
export function canonicalRole(role: string): string {
  const lower = role.toLowerCase();
  return Object.hasOwn(ROLES, lower) ? (ROLES[lower] as string) : lower;
}

/** First value that is present. The keys are not names of prototype properties. */
export function firstOf(fields: JsonObject, ...keys: string[]): JsonValue | undefined {
  for (const key of keys) {
    const value = fields[key];
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** First value that is a non-empty string; numbers are converted to strings. */
export function textOf(fields: JsonObject, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const value = fields[key];
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return undefined;
}

/** Whether the value is a list of messages none of which has content, a tool call or reasoning. */
export function isSilent(messages: JsonValue): boolean {
  return Array.isArray(messages) && messages.every((message) => !isJsonObject(message) || !speaks(message));
}

function speaks({ content, tool_calls: calls, reasoning, details }: JsonObject): boolean {
  if (calls !== undefined || reasoning !== undefined || details !== undefined) return true;
  if (typeof content === 'string') return content !== '';
  return content !== null && content !== undefined && !(Array.isArray(content) && content.length === 0);
}
