import type { StatesPort } from '@assay/event-store';
import type { Logger } from '@assay/runtime';
import type { EventIdFilter } from './event-id-filter.js';

export interface EventIdFilterLoaderDeps {
  readonly store: { readonly states: StatesPort };
  readonly known: EventIdFilter;
  readonly logger: Logger;
  readonly retryAfterMs: number;
}

/**
 * Fills the filter of event ids from the store, in the background. Load again when the reader is assigned
 * other partitions, because another process may have written their events. Until a load succeeds, the filter
 * reports every id as possibly stored; a failed load is retried.
 */
export function makeEventIdFilterLoader({ store, known, logger, retryAfterMs }: EventIdFilterLoaderDeps) {
  let latestRun = 0;
  let timer: NodeJS.Timeout | undefined;

  async function load(): Promise<void> {
    const run = ++latestRun;
    clearTimeout(timer);
    known.clear();
    try {
      await store.states.knownKeys((keys) => {
        if (run !== latestRun) return;
        for (const key of keys) known.add(key.slice(key.lastIndexOf('/') + 1));
      });
      if (run === latestRun) known.markComplete();
    } catch (error) {
      if (run !== latestRun) return;
      logger.warn(
        'loading the event id filter failed, looking up every create until it is retried',
        {},
        error,
      );
      timer = setTimeout(() => void load(), retryAfterMs).unref();
    }
  }

  return {
    load,
    stop: () => {
      latestRun++;
      clearTimeout(timer);
    },
  };
}
