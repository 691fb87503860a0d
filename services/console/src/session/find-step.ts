import type { ConversationStep } from './conversation-steps.js';

/** The step of an event: its own, else the last one that started before it. */
export function stepOf(steps: readonly ConversationStep[], event: number): number {
  const own = steps.findIndex((step) => step.event === event);
  return own === -1
    ? Math.max(
        0,
        steps.findLastIndex((step) => step.event < event),
      )
    : own;
}
