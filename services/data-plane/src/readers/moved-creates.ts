import type { EventKey, EventState, EventStore } from '@assay/event-store';
import { decodeEventRow, encodeEventRow, sessionOfRow } from '@assay/event-store/rows';
import type { ConsumedEventRecord } from './fold-records.js';
import { eventKey, moveTargets } from './move-targets.js';

type RecordGroup = readonly [ConsumedEventRecord, ...ConsumedEventRecord[]];

/**
 * The groups with creates in the session that their session has moved to, where the stored event lies in another one than they say: a create that comes again
 * must not take an event back to the place that it was moved from, which is closed. Costs a look-up only where sessions differ.
 */
export async function withMovedSessions(
  store: Pick<EventStore, 'readChangeFlags'>,
  groups: readonly RecordGroup[],
  states: ReadonlyMap<string, EventState>,
): Promise<readonly RecordGroup[]> {
  const disputed = new Map<string, EventKey>();
  for (const { key, record } of groups.flat()) {
    const session = record.kind === 'event' ? sessionOfRow(record.value) : undefined;
    const stored = states.get(key)?.event?.session_id;
    if (session === undefined || stored === undefined || stored === session) continue;
    const name = { projectId: record.projectId, eventId: session };
    disputed.set(eventKey(name), name);
  }
  if (disputed.size === 0) return groups;
  const targets = await moveTargets(store, await store.readChangeFlags([...disputed.values()]));
  return targets.size === 0
    ? groups
    : groups.map(([first, ...rest]) => [atHome(first, targets), ...rest.map((one) => atHome(one, targets))]);
}

function atHome(placed: ConsumedEventRecord, targets: ReadonlyMap<string, string>): ConsumedEventRecord {
  const { record } = placed;
  if (record.kind !== 'event') return placed;
  const session = sessionOfRow(record.value);
  const target = targets.get(eventKey({ projectId: record.projectId, eventId: session }));
  if (target === undefined || session === record.eventId) return placed;
  const event = decodeEventRow(record.value);
  const parent_id = event.parent_id === session ? target : event.parent_id;
  return {
    ...placed,
    record: { ...record, value: encodeEventRow({ ...event, session_id: target, parent_id }) },
  };
}
