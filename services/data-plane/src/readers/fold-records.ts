import type { EventRecord, Move } from '@assay/contracts';
import { foldState, type Event, type EventPatch, type FoldRecord } from '@assay/domain';
import type { EventChanges, EventRow, EventState, Tombstone } from '@assay/event-store';
import { decodeEventRow, encodeEventRow, sameSortKey } from '@assay/event-store/rows';

/** A record of the log with its version, and the key under which the store's state is found. */
export interface ConsumedEventRecord {
  /** `projectId/eventId` */
  readonly key: string;
  readonly record: EventRecord;
  readonly version: number;
}

/** What a group of records of one event changes in the store, if anything, and the state that it leaves. */
export interface StateWrites {
  readonly key: string;
  readonly eventId: string;
  readonly state: EventState;
  readonly row?: EventRow;
  readonly tombstones: readonly Tombstone[];
  readonly changes?: EventChanges;
}

/** Merges records of one event, in log order, into what is stored. Nothing is to be written when the store has them all already. */
export function foldRecords(
  stored: EventState,
  group: readonly [ConsumedEventRecord, ...ConsumedEventRecord[]],
): StateWrites {
  const [{ key, record }] = group;
  const folded = foldState(stored, group.map(foldable));
  const ids = { projectId: record.projectId, eventId: record.eventId };
  const changes = folded.changes && { ...ids, ...folded.changes };
  const event = folded.event && { ...folded.event, version: folded.version };
  return {
    key,
    eventId: record.eventId,
    state: { event, changes },
    row: folded.eventChanged && event ? { bytes: encodeEventRow(event), version: folded.version } : undefined,
    tombstones: folded.eventChanged ? tombstonesOf(stored, folded.event, folded.version) : [],
    changes: folded.changesChanged ? changes : undefined,
  };
}

function foldable({ record, version }: ConsumedEventRecord): FoldRecord {
  if (record.kind === 'event') return { version, kind: 'event', event: decodeEventRow(record.value) };
  if (record.kind === 'patch')
    return { version, kind: 'patch', patch: JSON.parse(record.value.toString()) as EventPatch };
  if (record.kind === 'move') return { version, kind: 'move', to: readMove(record).to };
  return { version, kind: 'delete' };
}

/** What a record of the kind `move` says. */
export function readMove({ value }: EventRecord): Move {
  return JSON.parse(value.toString()) as Move;
}

/** A row goes when its event is deleted, or when its event now sorts elsewhere (the start of a session moved). */
function tombstonesOf({ event: old }: EventState, now: Event | undefined, version: number): Tombstone[] {
  if (!old || (now && sameSortKey(old, now))) return [];
  const { project_id: projectId, event_id: eventId, session_id: sessionId, start_time: startTime } = old;
  return [{ projectId, eventId, sessionId, startTime, version }];
}
