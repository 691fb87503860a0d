import { encodeRecord } from '@assay/contracts';
import type { Event } from '@assay/domain';
import type { EventLog, LogRecord } from '@assay/event-log';
import { encodeEventRow } from '@assay/event-rows';
import type { AppliedBatch } from './apply-records.js';

/**
 * Returns the step that hands over the events of calling spans whose span id a serving span has too. They are appended to
 * the log as creates under their own ids, whose reader stores them. Appending comes before the batch is written: when the
 * process stops in between, they are appended again, and the same create twice changes nothing.
 */
export function makeHandOverCallingEvents({ log }: { readonly log: Pick<EventLog, 'append'> }) {
  return async function handOverCallingEvents({ merged }: AppliedBatch): Promise<void> {
    const displaced = merged.flatMap((writes) => writes.displaced ?? []);
    if (displaced.length > 0) await log.append(displaced.map(createRecord));
  };
}

/** Returns the create of an event that the server derived from others. */
export function createRecord(event: Event): LogRecord {
  const { project_id: projectId, event_id: eventId } = event;
  return encodeRecord({ kind: 'event', projectId, eventId, fresh: false, value: encodeEventRow(event) });
}
