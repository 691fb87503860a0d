import type { ConcurrentRunner } from '../../engine/engine.js';
import { eventsOf, type HeldRows } from './held-events.js';
import { readMoved } from './continue-page.js';
import { readDerived } from './relate-events.js';
import type { SearchContext } from './search-events.js';
import { readTreePositions } from '../sessions/tree-positions.js';

/**
 * Completes what a part is made of, in the turn of its query: adds the events that were moved, and those that others name as
 * their children if derived values were asked for.
 */
export async function completeHeld(
  runner: ConcurrentRunner,
  context: Pick<SearchContext, 'tables' | 'completeness'>,
  projectId: string,
  part: HeldRows,
): Promise<HeldRows> {
  const held = await addMoved(runner, context, projectId, part);
  const { rows, moved, derived } = held;
  if (derived === undefined) return held;
  const lists = [...rows, ...(moved?.values() ?? [])].map((one) => one['children_ids'] as readonly string[]);
  const ids = [...new Set(lists.flat())];
  const named = ids.length === 0 ? [] : await readTreePositions(runner, context.tables, projectId, ids);
  return { ...held, derived: { ...derived, named } };
}

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
