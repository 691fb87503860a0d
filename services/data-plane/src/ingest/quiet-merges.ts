import { setTimeout as delay } from 'node:timers/promises';
import type { AdministrationPort, MergeParts } from '@assay/event-store';
import { linkSignals, type Logger } from '@assay/runtime';

export interface QuietMergesOptions {
  readonly mergeParts: MergeParts;
  readonly store: { readonly administration: AdministrationPort };
  readonly logger: Pick<Logger, 'debug' | 'warn'>;
  /** Time over which the store is observed before it counts as quiet, in milliseconds. */
  readonly quietMs?: number;
}

/** Merges of the event store while little is stored. */
export interface QuietMerges {
  /** Notes that a batch of so many records is about to be stored. Cancels a merge when a load begins. */
  readonly noteBatch: (records: number) => void;
  /** Cancels a merge and resolves when it has ended. Idempotent. */
  stop(): Promise<void>;
}

const QUIET_MS = 30_000;
/** Records that may be stored in this time. */
export const MAX_QUIET_RECORDS = 300;
/** Largest partition that is merged, on disk: about 3,000,000 events of 2 KB, which takes a minute. */
const MAX_BYTES = 2 * 1024 ** 3;
/** Time until the next merge, relative to the time that one took: merges use at most a twentieth of the time. */
const REST = 19;

/**
 * Merges the parts of the event store while little is stored and no client reads, one partition at a time. A read opens
 * every part of a table, and a load leaves about twenty of them (ADR 048).
 */
export function startQuietMerges(options: QuietMergesOptions): QuietMerges {
  const { mergeParts, store, logger, quietMs = QUIET_MS } = options;
  const stopping = new AbortController();
  let loadBegan = new AbortController();
  /** Records since the store was last looked at. */
  let records = 0;

  const isQuiet = () => {
    const { running, waiting } = store.administration.queryLoad();
    const isReading = running + waiting > 0;
    return records <= MAX_QUIET_RECORDS && !isReading;
  };
  const mergeOne = async () => {
    const { signal, unlink } = linkSignals([loadBegan.signal, stopping.signal]);
    const startedAt = performance.now();
    try {
      const found = await mergeParts({ maxBytes: MAX_BYTES, signal });
      if (found === undefined) return;
      const ms = Math.round(performance.now() - startedAt);
      logger.debug('merged parts of the event store', { ...found, ms });
    } catch (error) {
      logger.warn('parts of the event store were not merged, retrying later', {}, error);
    } finally {
      unlink();
    }
  };
  const run = async () => {
    let waitMs = quietMs;
    for (;;) {
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      const mayMerge = isQuiet();
      records = 0;
      loadBegan = new AbortController();
      const startedAt = performance.now();
      if (mayMerge) await mergeOne();
      waitMs = Math.max(quietMs, (performance.now() - startedAt) * REST);
    }
  };
  const running = run();
  return {
    noteBatch: (added) => {
      records += added;
      if (records > MAX_QUIET_RECORDS) loadBegan.abort();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
