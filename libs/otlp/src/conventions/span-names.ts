import type { EventType } from '@assay/domain';

export interface NamedSpan {
  readonly type: EventType;
  /** Precedence among other evidence of the event type, smaller wins. */
  readonly order: number;
  /** Required prefix of the instrumentation scope. */
  readonly scope?: string;
}

/** Names of spans whose attributes do not identify their type. */
export const SPAN_NAMES: ReadonlyMap<string, NamedSpan> = new Map([
  // The raw request repeats the usage of its parent, and the root span of the proxy repeats that of all
  // descendants: neither is a model event.
  ['raw_gen_ai_request', { type: 'chain', order: 45 }],
  ['Received Proxy Server Request', { type: 'chain', order: 45 }],
  // Stands for several parallel calls, each of which has a span of its own.
  ['execute_tool (merged)', { type: 'chain', order: 45 }],
  ['execute_tool (merged tools)', { type: 'chain', order: 45 }],
  ['litellm_request', { type: 'model', order: 66 }],
  ['claude_code.interaction', { type: 'chain', order: 66 }],
  ['claude_code.llm_request', { type: 'model', order: 66 }],
  ['claude_code.tool', { type: 'tool', order: 66 }],
  ['claude_code.tool.execution', { type: 'chain', order: 66 }],
  ['claude_code.tool.blocked_on_user', { type: 'chain', order: 66 }],
  ['claude_code.hook', { type: 'chain', order: 66 }],
  ['call_llm', { type: 'model', order: 69, scope: 'gcp.vertex.agent' }],
  ['agent_turn', { type: 'chain', order: 69, scope: 'livekit' }],
  ['start_agent_activity', { type: 'chain', order: 69, scope: 'livekit' }],
  ['function_tool', { type: 'tool', order: 69, scope: 'livekit' }],
  ['llm_node', { type: 'model', order: 69, scope: 'livekit' }],
  ['llm_request', { type: 'model', order: 69, scope: 'livekit' }],
]);

/** Event type implied by the name of a span. */
export function typeOfName(name: string, scope: string): NamedSpan | undefined {
  const named = SPAN_NAMES.get(name);
  return named?.scope === undefined || scope.startsWith(named.scope) ? named : undefined;
}
