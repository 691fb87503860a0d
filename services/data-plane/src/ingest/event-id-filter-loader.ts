import type { StatesPort, WriterPort } from '@assay/event-store';
import type { Logger } from '@assay/runtime';
import type { EventIdFilter } from './event-id-filter.js';

export interface EventIdFilterLoaderDeps {
  readonly store: { readonly states: StatesPort; readonly writer: WriterPort };
  readonly known: EventIdFilter;
  /** Whether no other process writes to the event store. */
  readonly isExclusive: boolean;
  readonly logger: Logger;
  readonly retryAfterMs: number;
}

/** Seconds by which the clocks of two processes can differ. */
const CLOCK_DIFFERENCE = 600;
/** Seconds before a start in which a process of an earlier release may have stored rows: longer than an upgrade takes. */
const UPGRADE = 3_600;

/**
 * Fills the filter of event ids from the store, in the background. Load again when the reader is assigned
 * other partitions, because another process may have written their events: then those are read that were stored since the load
 * before. Rows of earlier releases get their keys first. Until a load succeeds, the filter reports every id as possibly stored; a
 * failed load is retried.
 */
export function makeEventIdFilterLoader({
  store,
  known,
  isExclusive,
  logger,
  retryAfterMs,
}: EventIdFilterLoaderDeps) {
  let latestRun = 0;
  /** When the last load that succeeded began, Unix seconds. */
  let loadedAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function load(): Promise<void> {
    const run = ++latestRun;
    clearTimeout(timer);
    known.markIncomplete();
    const startedAt = Date.now() / 1_000;
    const since = loadedAt === undefined ? undefined : loadedAt - CLOCK_DIFFERENCE;
    const addAll = (eventIds: readonly string[]) => {
      if (run === latestRun) for (const id of eventIds) known.add(id);
    };
    try {
      if (!isExclusive) await store.writer.writeMissingIds(Math.max(since ?? 0, startedAt - UPGRADE));
      await store.states.knownIds(addAll, since);
      if (run !== latestRun) return;
      known.markComplete();
      loadedAt = startedAt;
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
