import { changesEvents } from '@assay/contracts';
import type { ConsumedRecord } from '@assay/event-log';
import { replayOrigin } from '@assay/event-log';
import type { EventKey } from '@assay/event-store';
import type { BatchRange } from './session-throttle.js';
import type { LogVersions } from '../shared/log-versions.js';
import { decodeConsumedRecord, type ConsumedEventRecord } from '../shared/consumed-event-record.js';

/** An event that a batch changes. */
export interface ChangedEvent extends EventKey {
  /** Its records, in log order; none when the event was only relocated. */
  readonly records: readonly ConsumedEventRecord[];
  /** Version of its last record; a state that is older is not forwarded. */
  readonly version: number;
  /** When its last record was appended, Unix milliseconds. */
  readonly arrivedAt: number;
  /** Its last record, which becomes the dead letter; absent when the event was only relocated. */
  readonly lastRecord?: ConsumedRecord;
  /** Whether one of its records is replayed, so that its dead letter no longer exists. */
  readonly replayed: boolean;
}

/** Returns the events that a batch changes, by `projectId/eventId`. @throws AppError `VALIDATION_ERROR` */
export function changedEvents(
  batch: readonly ConsumedRecord[],
  versions: LogVersions,
): Map<string, ChangedEvent> {
  const changed = new Map<string, ChangedEvent & { records: ConsumedEventRecord[] }>();
  for (const consumed of batch) {
    const record = decodeConsumedRecord(consumed, versions);
    const { key, version } = record;
    if (!changesEvents(record.record.kind)) continue;
    const { projectId, eventId } = record.record;
    const earlier = changed.get(key);
    const records = earlier?.records ?? [];
    records.push(record);
    const replayed = replayOrigin(consumed) !== undefined || earlier?.replayed === true;
    const { appendedAt: arrivedAt } = consumed;
    changed.set(key, { projectId, eventId, records, version, arrivedAt, lastRecord: consumed, replayed });
  }
  return changed;
}

/** Returns an event whose present state must be read from the store, because no record of it has changed it. */
export function relocatedEvent({ projectId, eventId }: EventKey, arrivedAt: number): ChangedEvent {
  return { projectId, eventId, records: [], version: Infinity, arrivedAt, replayed: false };
}

/** Returns the part of the log that a batch is. */
export function rangeOf(batch: readonly ConsumedRecord[]): BatchRange {
  const [first, last] = [batch[0], batch.at(-1)];
  return { partition: first?.partition ?? 0, start: first?.offset ?? 0, end: (last?.offset ?? -1) + 1 };
}
