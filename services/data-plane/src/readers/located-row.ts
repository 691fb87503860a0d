import type { Event } from '@assay/domain';
import type { RowVersion } from '@assay/event-store';
import { decodeEventRow, parentOfRow, sessionOfRow } from '@assay/event-store/rows';
import type { ConsumedEventRecord } from './fold-records.js';

/** A row as it lies in the store, with the ids of other events that it names. */
export interface LocatedRow {
  readonly projectId: string;
  readonly eventId: string;
  readonly sessionId: string;
  /** Absent without a parent, and for one that is no UUID. */
  readonly parentId?: string;
  readonly version: RowVersion;
  /** The whole event; made when it is asked for. */
  readonly event: () => Event;
}

/** The row of a record that went through as it came. */
export function locatedRowOfRecord({ record, version }: ConsumedEventRecord): LocatedRow {
  const { projectId, eventId, value } = record;
  return {
    projectId,
    eventId,
    sessionId: sessionOfRow(value),
    parentId: parentOfRow(value),
    version,
    event: () => decodeEventRow(value),
  };
}

/** The row of an event. */
export function locatedRowOfEvent({
  version,
  ...event
}: Event & { readonly version: RowVersion }): LocatedRow {
  const { project_id: projectId, event_id: eventId, session_id: sessionId, parent_id: parentId } = event;
  return { projectId, eventId, sessionId, parentId: parentId ?? undefined, version, event: () => event };
}
