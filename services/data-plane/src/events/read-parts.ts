import type { Event } from '@assay/domain';
import type { PartOptions, UnreadEvent } from '@assay/event-store';
import { makeCompleteEvents } from '../sessions/complete-events.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

/**
 * Returns a function that reads events a few megabytes at a time, when they are asked for, with what is derived from
 * other events. Between two parts, other queries of the project and of other projects have their turn, and while a part is
 * used there is no query.
 */
export function makeReadParts(deps: { readonly store: Pick<DataPlaneDeps['store'], 'events' | 'sessions'> }) {
  const completeEvents = makeCompleteEvents(deps);
  return async function* readParts(
    projectId: string,
    unread: readonly UnreadEvent[],
    options: PartOptions,
  ): AsyncGenerator<readonly Event[]> {
    for (let left = unread; left.length > 0;) {
      const part = await deps.store.events.continuePage(projectId, left, { ...options, withDerived: true });
      yield await completeEvents(projectId, part, options);
      left = part.unread;
    }
  };
}
