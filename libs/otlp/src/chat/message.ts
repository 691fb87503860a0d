import type { JsonObject, JsonValue } from '@assay/domain';

/** One message of a conversation, as events store it: `{role, content, name?, tool_calls?, tool_call_id?, reasoning?, finish_reason?}`. */
export type Message = JsonObject & { role: string; content: JsonValue };

const ROLES: Readonly<Record<string, string>> = {
  human: 'user',
  ai: 'assistant',
  model: 'assistant',
  bot: 'assistant',
  function: 'tool',
};

/** The name under which a role is stored; roles of their own kind stay as they are. */
export function canonicalRole(role: string): string {
  const lower = role.toLowerCase();
  return Object.hasOwn(ROLES, lower) ? (ROLES[lower] as string) : lower;
}

/** The first of the values that is there. The keys are names that no prototype has. */
export function firstOf(fields: JsonObject, ...keys: string[]): JsonValue | undefined {
  for (const key of keys) {
    const value = fields[key];
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** The first of the values that is a text which is not empty; numbers count as their text. */
export function textOf(fields: JsonObject, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const value = fields[key];
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return undefined;
}
