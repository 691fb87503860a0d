import { EVENT_TYPES } from '@assay/domain';
import type { AdministrationPort, ExpiredCursor } from '@assay/event-store';
import { makeExpirePage, type ExpirePageDeps } from '../retention/expire-page.js';
import { pause } from '../shared/run-rounds.js';

export interface DropOldestDeps extends ExpirePageDeps {
  readonly store: ExpirePageDeps['store'] & { readonly administration: AdministrationPort };
}

/** Called with the events of a project that were dropped. */
export type OnDropped = (projectId: string, events: number) => void;

/** Time until the next page, relative to the time that one took. */
const REST = 4;

/**
 * Returns a function that removes all events that start before a time, Unix milliseconds, as retention does, but also those that a run or
 * dataset names. Resolves with their number.
 */
export function makeDropOldest(deps: DropOldestDeps, onDropped: OnDropped) {
  const expirePage = makeExpirePage(deps);
  return async function dropOldest(cutoff: number, signal: AbortSignal): Promise<number> {
    const cutoffs = Object.fromEntries(EVENT_TYPES.map((type) => [type, cutoff]));
    let dropped = 0;
    for (const projectId of await deps.store.administration.projectIds()) {
      const scan = { key: projectId, projectId, keepReferenced: false, removesKept: true, cutoffs, cutoff };
      let after: ExpiredCursor | undefined;
      do {
        if (signal.aborted) return dropped;
        const startedAt = performance.now();
        const { next, counts } = await expirePage(scan, after);
        after = next;
        dropped += counts.events;
        onDropped(projectId, counts.events);
        if (counts.events > 0) await pause((performance.now() - startedAt) * REST, signal);
      } while (after !== undefined);
    }
    return dropped;
  };
}
