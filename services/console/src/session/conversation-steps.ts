import { jsonText } from '../format/json-text.js';
import type { SessionEvents } from './merge-pages.js';
import { isError } from './select-steps.js';

/** Model calls before a step whose messages its history may repeat. */
const COMPARED_CALLS = 3;

/** Step of a conversation: an event, and the model calls just before it. */
export interface ConversationStep {
  readonly event: number;
  readonly before: readonly number[];
}

/**
 * The steps of a session in the order in which they started: what was asked, model calls, tools, and what failed. Without a session
 * and model calls, what is at the top is the conversation.
 */
export function conversationSteps(events: SessionEvents): readonly ConversationStep[] {
  const steps: ConversationStep[] = [];
  const calls: number[] = [];
  const hasSteps = events.types.some((type) => type === 'session' || type === 'model');
  for (let event = 0; event < events.ids.length; event++) {
    const type = events.types[events.type[event] ?? -1];
    const isStep = type === 'session' || type === 'model' || type === 'tool' || isError(events, event);
    if (!isStep && (hasSteps || events.parent[event] !== -1)) continue;
    steps.push({ event, before: type === 'model' ? calls.slice(-COMPARED_CALLS).reverse() : [] });
    if (type === 'model') calls.push(event);
  }
  return steps;
}

/** Changes when the event does, as far as the tree shows; while the event runs, with every state of the tree. */
export function versionOf(events: SessionEvents, event: number, tag: string): string {
  const duration = events.duration[event] ?? null;
  if (duration === null) return tag;
  const state = [
    duration,
    events.tokens[event],
    events.cost[event],
    events.errors[event],
    events.scores[event],
  ];
  return jsonText(state);
}
