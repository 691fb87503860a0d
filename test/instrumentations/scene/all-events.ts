import type { Client } from '../../harness/stack/client.js';
import type { FoundEvent } from './programs.js';

const PAGE = 1000;

/** Every event of the project, page by page, once everything accepted so far is stored. */
export async function allEvents(client: Client): Promise<FoundEvent[]> {
  const events: FoundEvent[] = [];
  for (let page = 1; ; page++) {
    const found = await client.search({ filters: [], limit: PAGE, page });
    events.push(...(found.events as unknown as FoundEvent[]));
    if (found.events.length < PAGE) return events;
  }
}
