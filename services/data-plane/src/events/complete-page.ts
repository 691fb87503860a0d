import type { Event } from '@assay/domain';
import type { PageStart, QueryOptions, ReadEvents } from '@assay/event-store';
import type { Pages } from '@assay/http';
import { makeCompleteEvents } from '../sessions/complete-events.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

/** Returns a function that completes the events of a page: the first part now, the others when they are asked for. */
export function makeCompletePage(deps: Pick<DataPlaneDeps, 'store'>) {
  const completeEvents = makeCompleteEvents(deps);
  return async function completePage(
    projectId: string,
    page: PageStart,
    options: QueryOptions,
  ): Promise<Pages<Event>> {
    const completed = async function* () {
      for await (const part of partsOf(page)) yield await completeEvents(projectId, part, options);
    };
    const parts = completed();
    const first = await parts.next();
    return (async function* () {
      if (first.done !== true) yield first.value;
      yield* parts;
    })();
  };
}

async function* partsOf({ events, derived, parts }: PageStart): AsyncGenerator<ReadEvents> {
  if (parts === undefined) yield { events, derived };
  else yield* parts;
}
