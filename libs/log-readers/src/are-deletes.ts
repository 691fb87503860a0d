import { decodeRecord } from '@assay/contracts';
import type { EventLog } from '@assay/event-log';

/** Returns whether records do nothing but delete events. @throws Error for records that this version does not write */
export function areDeletes(records: Parameters<EventLog['append']>[0]): boolean {
  return records.every((record) => decodeRecord(record).kind === 'delete');
}
