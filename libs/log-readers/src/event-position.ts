import type { ConsumedRecord, LogPosition } from '@assay/event-log';
import type { EventKey } from '@assay/event-store';

/** Returns `projectId/eventId`, the key of caches and look-up results. */
export function eventKey({ projectId, eventId }: EventKey): string {
  return `${projectId}/${eventId}`;
}

/** Returns the position behind a batch, whose records are of one partition. */
export function positionAfter(batch: readonly ConsumedRecord[]): LogPosition {
  const last = batch.at(-1);
  return new Map(last ? [[last.partition, last.offset + 1]] : []);
}
