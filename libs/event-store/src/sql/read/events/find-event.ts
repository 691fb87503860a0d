import type { EventWithDerived } from '../../../event-store.js';
import type { ConcurrentRunner, QueryRunner } from '../../engine/engine.js';
import type { MediaScope } from '../../media/restore-media.js';
import type { TableNames } from '../../schema/topology.js';
import { fetchPayloads, withoutVersion } from '../rows/join-rows.js';
import { readNarrowRowsOf } from '../rows/read-by-keys.js';
import { derivable, readDerived, readWithDerived } from './relate-events.js';
import type { Event } from '@assay/domain';

/** The event of an id with what is derived for it; undefined as for {@link readEvent}. */
export async function readEventWithDerived(
  runner: ConcurrentRunner,
  tables: TableNames,
  { eventId, ...scope }: MediaScope & { readonly eventId: string },
): Promise<EventWithDerived | undefined> {
  const { projectId } = scope;
  const narrow = await readNarrowRowsOf(runner, tables, projectId, eventId);
  const [row, ...others] = narrow;
  if (row === undefined) return undefined;
  const read = async (from: QueryRunner) => (await fetchPayloads(from, tables, scope, narrow))[0];
  // The derived values are those of the session that it is in, which the payloads of several rows decide.
  if (others.length > 0) {
    const event = await read(runner);
    if (event === undefined) return undefined;
    const derived = await readDerived(runner, tables, { projectId, events: [event] });
    return { event: withoutVersion(event), derived };
  }
  const request = { projectId, events: [derivable(row)] };
  const [event, derived] = await readWithDerived(runner, tables, request, read);
  return event && { event: withoutVersion(event), derived };
}

/** The event of an id; undefined when it has no row, or no payload. */
export async function readEvent(
  engine: QueryRunner,
  tables: TableNames,
  projectId: string,
  eventId: string,
): Promise<Event | undefined> {
  const narrow = await readNarrowRowsOf(engine, tables, projectId, eventId);
  const [event] = await fetchPayloads(engine, tables, { projectId }, narrow);
  return event === undefined ? undefined : withoutVersion(event);
}
