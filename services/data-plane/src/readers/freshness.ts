import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLog, LogPosition, Consumer } from '@assay/event-log';

/** How far a read is behind what was accepted before it. */
export type Freshness = { readonly current: true } | { readonly current: false; readonly waitedMs: number };

export interface FreshnessDeps {
  readonly log: Pick<EventLog, 'end' | 'position'>;
  readonly group: string;
  /** The `store` reader of this process. */
  readonly reading: Pick<Consumer, 'flush'>;
  readonly now: () => number;
  /** Milliseconds between two looks at the group's position. */
  readonly pollIntervalMs: number;
}

/**
 * Waits until the `store` group has passed the log's end as it is now, at most `maxWaitMs`. Then a read sees everything that was accepted
 * before it was asked. Asks the reader to take what is there instead of gathering more.
 */
export function makeWaitUntilStored(deps: FreshnessDeps) {
  return async function waitUntilStored(maxWaitMs: number): Promise<Freshness> {
    const askedAt = deps.now();
    const end = await deps.log.end();
    for (;;) {
      if (hasPassed(await deps.log.position(deps.group), end)) return { current: true };
      const waitedMs = deps.now() - askedAt;
      if (waitedMs >= maxWaitMs) return { current: false, waitedMs };
      deps.reading.flush();
      await sleep(Math.min(deps.pollIntervalMs, maxWaitMs - waitedMs));
    }
  };
}

function hasPassed(position: LogPosition, end: LogPosition): boolean {
  return [...end].every(([partition, offset]) => (position.get(partition) ?? 0) >= offset);
}
