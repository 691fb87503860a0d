import { randomUUID } from 'node:crypto';
import type { Prose } from './prose.js';

/** One event as SDKs send it; `bytes` is about its size as JSON. */
export function jsonEvent(prose: Prose, bytes: number, fields: object = {}) {
  const content = Math.max(50, bytes - 500);
  const message = (role: string, share: number) => ({ role, content: prose.text(content * share) });
  return {
    event_id: randomUUID(),
    event_type: 'model',
    event_name: 'chat gpt-4o',
    inputs: { chat_history: [message('system', 0.3), message('user', 0.3)] },
    outputs: message('assistant', 0.4),
    config: { model: 'gpt-4o', provider: 'openai', temperature: 0.7 },
    metadata: { prompt_tokens: 412, completion_tokens: 96 },
    ...fields,
  };
}
