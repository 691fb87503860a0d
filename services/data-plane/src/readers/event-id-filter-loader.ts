import type { EventStore } from '@assay/event-store';
import type { Logger } from '@assay/runtime';
import type { EventIdFilter } from './event-id-filter.js';

/**
 * Fills the filter of known ids from the store, in the background. Call again when the reader is given other partitions:
 * somebody else may have written their events. A failed load leaves the filter saying "known" to everything and is tried again.
 */
export function makeEventIdFilterLoader(deps: {
  store: EventStore;
  known: EventIdFilter;
  logger: Logger;
  retryAfterMs: number;
}) {
  let run = 0;
  let timer: NodeJS.Timeout | undefined;

  async function load(): Promise<void> {
    const mine = ++run;
    clearTimeout(timer);
    deps.known.clear();
    try {
      await deps.store.knownKeys((keys) => {
        if (mine !== run) return;
        for (const key of keys) deps.known.add(key.slice(key.lastIndexOf('/') + 1));
      });
      if (mine === run) deps.known.markComplete();
    } catch (error) {
      if (mine !== run) return;
      deps.logger.warn('could not load the known ids, every create is looked up meanwhile', {}, error);
      timer = setTimeout(() => void load(), deps.retryAfterMs).unref();
    }
  }

  return {
    load,
    stop: () => {
      run++;
      clearTimeout(timer);
    },
  };
}
