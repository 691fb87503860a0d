import type { Event, StoredEvent } from '@assay/domain';
import type { PageStart, QueryOptions, StoredEvents } from '@assay/event-store';
import { mapPages, type Pages } from '@assay/http';
import { completeStoredEvents, makeCompleteEvents } from '../sessions/complete-events.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

/** What to make of a completed event, as the store returns it. */
export interface ExportedAs<Item> {
  readonly event: (event: Event) => Item;
  readonly stored: (event: StoredEvent) => Item;
}

/** Returns a function that completes the events of a page: the first ones now, the others when they are asked for. */
export function makeCompletePage(deps: Pick<DataPlaneDeps, 'store'>) {
  const completeEvents = makeCompleteEvents(deps);
  return async function completePage<Item>(
    projectId: string,
    { parts, ...page }: PageStart,
    exportedAs: ExportedAs<Item>,
    options: QueryOptions,
  ): Promise<Pages<Item>> {
    async function* wholePage() {
      yield await completeEvents(projectId, page, options);
    }
    return parts === undefined
      ? mapPages(await started(wholePage()), exportedAs.event)
      : mapPages(completedParts(parts), exportedAs.stored);
  };
}

function* completedParts(parts: Iterable<StoredEvents>): Generator<readonly StoredEvent[]> {
  for (const part of parts) yield completeStoredEvents(part);
}

/** The pages, of which the first one has come. */
async function started<Item>(pages: AsyncGenerator<readonly Item[]>): Promise<Pages<Item>> {
  const first = await pages.next();
  return (async function* () {
    if (first.done !== true) yield first.value;
    yield* pages;
  })();
}
