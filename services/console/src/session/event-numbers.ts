import { formatCost } from '../format/cost.js';
import { formatDuration } from '../format/duration.js';
import { formatTokens } from '../format/number.js';
import type { SessionEvents } from './merge-pages.js';

/** Duration, tokens and cost of an event on one line, as far as they are known. */
export function eventNumbers({ duration, tokens, cost }: SessionEvents, event: number): string {
  const numbers = [formatDuration(duration[event])];
  if (tokens[event]) numbers.push(`${formatTokens(tokens[event])} tokens`);
  if (cost[event]) numbers.push(formatCost(cost[event]));
  return numbers.join(' · ');
}
