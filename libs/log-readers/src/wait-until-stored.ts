import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLog, LogPosition } from '@assay/event-log';
import { STORE_GROUP } from './consumer-groups.js';

/** How far a reader is behind the log. */
export type Freshness = { readonly current: true } | { readonly current: false; readonly waitedMs: number };

export interface WaitUntilStoredDeps {
  readonly log: Pick<EventLog, 'position'>;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly pollIntervalMs: number;
  /** Called before each wait, to hurry the reader. */
  readonly beforeWait?: () => void;
  /**
   * Returns the end of the log after what the reader itself has appended, which is part of what it has read. Waited for
   * once, so that a reader that appends all the time delays no read for long.
   */
  readonly handedOver?: () => LogPosition | undefined;
  /** Ends every wait. */
  readonly stopping?: AbortSignal;
}

const NOTHING: LogPosition = new Map();

/** Returns a function that waits until the `store` group has passed a position of the log, at most `maxWaitMs`. */
export function makeWaitUntilStored(deps: WaitUntilStoredDeps) {
  return makeWaitUntilRead(STORE_GROUP, deps);
}

/** Returns a function that waits until a group has passed a position of the log, at most `maxWaitMs`. */
export function makeWaitUntilRead(
  group: string,
  { log, now, pollIntervalMs, beforeWait, handedOver, stopping }: WaitUntilStoredDeps,
) {
  return async function waitUntilRead(
    target: LogPosition | Promise<LogPosition>,
    maxWaitMs: number,
  ): Promise<Freshness> {
    const startedAt = now();
    let end = await target;
    let appended = handedOver;
    for (;;) {
      const position = await log.position(group);
      if (hasPassed(position, end)) {
        end = appended?.() ?? NOTHING;
        appended = undefined;
        if (hasPassed(position, end)) return { current: true };
      }
      const waitedMs = now() - startedAt;
      if (waitedMs >= maxWaitMs || stopping?.aborted) return { current: false, waitedMs };
      beforeWait?.();
      await sleep(Math.min(pollIntervalMs, maxWaitMs - waitedMs));
    }
  };
}

/** Returns whether a group has read everything before a position of the log. */
export function hasPassed(position: LogPosition, target: LogPosition): boolean {
  return [...target].every(([partition, offset]) => (position.get(partition) ?? 0) >= offset);
}
