import type { StoreSize } from '@assay/event-store';
import type { Logger, Metrics } from '@assay/runtime';
import { pause, runRounds, type Rounds } from '../shared/run-rounds.js';
import { makeDropOldest, type DropOldestDeps } from './drop-oldest.js';
import { StoreLimitView, type StoreLimitStatus } from './store-limit-view.js';

/** How much the store may take on its disk. */
export interface StoreLimitRules {
  readonly maxBytes: number;
  readonly size: StoreSize;
  /** Time between two looks at the size, in milliseconds; 10 s when absent. */
  readonly everyMs?: number;
}

export interface StoreLimitOptions extends StoreLimitRules, DropOldestDeps {
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: Metrics;
}

export interface StoreLimit extends Rounds {
  /** Returns what a project may see. */
  readonly status: (projectId: string) => StoreLimitStatus;
}

const EVERY_MS = 10_000;
/** Size at which dropping ends, relative to the limit, so that parts are not rewritten for every few events. */
const LOW = 0.9;
/** Share of the limit that tombstones may take from events. What they have beyond it comes on top of the limit. */
const TOMBSTONE_SHARE = 0.5;
const POLL_MS = 100;
/** Time until the next step of a purge, relative to the time that one took. */
const REST = 4;

/**
 * Drops the oldest events of all projects while the store takes more than a limit on its disk. What was deleted before leaves the disk first.
 * Events are dropped for a share of the size that is estimated; they leave the disk, and the size decides what follows.
 */
export function startStoreLimit(options: StoreLimitOptions): StoreLimit {
  const { logger, size, everyMs = EVERY_MS, maxBytes } = options;
  const view = new StoreLimitView(options.metrics, maxBytes);
  const shrink = makeShrink(options, view);
  const rounds = runRounds({
    round: async (signal) => {
      view.bytes = await size.storedBytes();
      if (view.bytes > maxBytes) await shrink(signal);
    },
    restMs: () => everyMs,
    onFailure: (error) => logger.warn('the event store was not kept below its limit, retrying', {}, error),
  });
  return { ...rounds, status: (projectId) => view.of(projectId) };
}

function makeShrink(options: StoreLimitOptions, view: StoreLimitView) {
  const { size, maxBytes, logger } = options;
  const purge = makePurge(options);
  const dropOldest = makeDropOldest(options, (projectId, events) => view.dropped(projectId, events));
  let isWarned = false;

  /** Returns the bytes that count after everything deleted has left the disk. Media of deleted events do not: they leave it minutes later. */
  async function purged(signal: AbortSignal): Promise<number> {
    await purge(signal);
    view.bytes = await size.storedBytes();
    if (view.bytes <= maxBytes) return view.bytes;
    const waiting = await size.unusedMediaBytes();
    return view.bytes - waiting - Math.max(0, (await size.tombstoneBytes()) - maxBytes * TOMBSTONE_SHARE);
  }

  return async function shrink(signal: AbortSignal): Promise<void> {
    let bytes = await purged(signal);
    if (bytes <= maxBytes) return;
    const low = maxBytes * LOW;
    let events = 0;
    while (bytes > low && !signal.aborted) {
      const cutoff = await size.endOfOldest((bytes - low) / bytes);
      const dropped = cutoff === undefined ? 0 : await dropOldest(cutoff, signal);
      if (cutoff === undefined || dropped === 0) break;
      events += dropped;
      view.droppedUntil(cutoff);
      logger.warn('dropped the oldest events, the event store is above MAX_STORE_BYTES', {
        ...{ events: dropped, before: new Date(cutoff).toISOString(), bytes, maxBytes },
      });
      bytes = await purged(signal);
    }
    if (signal.aborted) return;
    const isStuck = bytes > maxBytes;
    if (isStuck && !isWarned)
      logger.warn('the event store is above MAX_STORE_BYTES, and nothing is left to drop', { bytes });
    isWarned = isStuck;
    if (events > 0) logger.info('the event store is below MAX_STORE_BYTES again', { events, bytes });
  };
}

/** Returns a function that removes the values of all deleted events from the disk. */
function makePurge({ store }: StoreLimitOptions) {
  const limits = { maxBytes: Number.MAX_SAFE_INTEGER, allowsLargerPart: true };
  return async function purge(signal: AbortSignal): Promise<void> {
    let startedAt = performance.now();
    while (!signal.aborted) {
      const { state } = await store.administration.purgeDeleted({
        ...limits,
        deletedBefore: Number.MAX_SAFE_INTEGER,
      });
      if (state === 'idle') return;
      const took = performance.now() - startedAt;
      if (state === 'running') await pause(POLL_MS, signal);
      else {
        await pause(took * REST, signal);
        startedAt = performance.now();
      }
    }
  };
}
