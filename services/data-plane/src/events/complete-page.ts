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

/** Returns a function that completes the events of a page: the first part now, the others when they are asked for. */
export function makeCompletePage(deps: Pick<DataPlaneDeps, 'store'>) {
  const completeEvents = makeCompleteEvents(deps);
  return async function completePage<Item>(
    projectId: string,
    { parts, ...page }: PageStart,
    exportedAs: ExportedAs<Item>,
    options: QueryOptions,
  ): Promise<Pages<Item>> {
    if (parts !== undefined) return mapPages(await startedParts(parts), exportedAs.stored);
    const events = await completeEvents(projectId, page, options);
    return mapPages(onePage(events), exportedAs.event);
  };
}

/** The completed events of parts, of which the first one has come. */
async function startedParts(parts: AsyncIterable<StoredEvents>): Promise<Pages<StoredEvent>> {
  const completed = completedParts(parts);
  const first = await completed.next();
  return (async function* () {
    if (first.done !== true) yield first.value;
    yield* completed;
  })();
}

async function* completedParts(parts: AsyncIterable<StoredEvents>) {
  for await (const part of parts) yield completeStoredEvents(part);
}

// eslint-disable-next-line @typescript-eslint/require-await -- pages are asynchronous
async function* onePage<Item>(items: readonly Item[]) {
  yield items;
}
