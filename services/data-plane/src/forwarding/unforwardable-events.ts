import { LRUCache } from 'lru-cache';

/** LRU capacity. An event that was evicted gets another dead letter with its next update. */
const MAX_EVENTS = 100_000;

/**
 * LRU set of `projectId/eventId`. It remembers events that have a dead letter because their data cannot be forwarded, so that further updates of
 * such an event add none: a replay of the first forwards the merged event.
 */
export class UnforwardableEvents {
  private readonly keys = new LRUCache<string, true>({ max: MAX_EVENTS });

  isEmpty(): boolean {
    return this.keys.size === 0;
  }

  has(key: string): boolean {
    return this.keys.has(key);
  }

  add(key: string): void {
    this.keys.set(key, true);
  }

  delete(key: string): void {
    this.keys.delete(key);
  }
}
