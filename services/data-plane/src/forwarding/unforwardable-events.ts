import { LRUCache } from 'lru-cache';

/** LRU capacity. An event that was evicted gets another dead letter with its next update. */
const MAX_EVENTS = 100_000;

/**
 * Remembers events that have a dead letter because their data cannot be forwarded, so that further updates of
 * such an event add none: a replay of the first forwards the merged event.
 */
export class UnforwardableEvents {
  private readonly keys = new LRUCache<string, true>({ max: MAX_EVENTS });

  /**
   * Records the outcome of a batch by `projectId/eventId`: events that failed, and among all `handled` ones
   * those that did not, which may fail again later. To be called when nothing of the batch can fail any more.
   * @returns the failed events that have no dead letter yet
   */
  update(handled: Iterable<string>, failed: ReadonlyMap<string, string>): string[] {
    const added: string[] = [];
    for (const key of handled) {
      if (!failed.has(key)) this.keys.delete(key);
      else if (!this.keys.has(key)) added.push(key);
    }
    for (const key of failed.keys()) this.keys.set(key, true);
    return added;
  }
}
