import type { ConcurrentRunner } from '../engine/engine.js';
import { eventsOf, type HeldRows } from './held-events.js';
import { readMoved } from './page-parts.js';
import { readDerived } from './read-derived.js';
import type { SearchContext } from './search-events.js';

/** Adds the events of a later part that were moved while it was read. Without them the page would be read again. */
export async function addMoved(
  runner: ConcurrentRunner,
  { tables, completeness }: Pick<SearchContext, 'tables' | 'completeness'>,
  projectId: string,
  held: HeldRows,
): Promise<HeldRows> {
  const { rows, payloads } = held;
  if (payloads.size === rows.length) return held;
  if (completeness.isKnown) completeness.doubt();
  completeness.compareSoon();
  const ids = rows.flatMap(({ key_event: id }) => (payloads.has(id) ? [] : [id]));
  const found = await readMoved(runner, tables, projectId, ids);
  const moved = new Map(found.map((event) => [event.event_id, event]));
  const all = { ...held, moved };
  if (held.derived === undefined) return all;
  return { ...all, derived: await readDerived(runner, tables, { projectId, events: eventsOf(all) }) };
}
