import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@assay/errors';
import { type EventEntries, type EventEntry, entryId, indexedEvent, type IndexedEventFields, type ToldEvent } from './indexed-event.js';
import { insertIfAbsent } from './insert-if-absent.js';

const ATTEMPTS = 20;

/**
 * Keeps an event unless something newer is known. True when what is kept now is what was told: then the event goes on to the queues, also
 * when it was told before, because the process may have ended on the way there.
 *
 * The same version may be told with another content: the data plane reads the newest state while it is being written, and tells it once more
 * when it is complete.
 * @throws AppError `UNAVAILABLE` when others change it at the same time, again and again
 */
export async function keepEvent(entries: EventEntries, told: ToldEvent): Promise<boolean> {
  const id = entryId(told.event.project_id, told.event.event_id);
  const fields = indexedEvent(told);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await insertIfAbsent(entries, id, fields)) return true;
    const entry = await entries.get(id);
    if (!entry) continue;
    if (entry.deleted || entry.event_version > told.version) return false;
    if (isSame(entry, fields)) return true;
    if (await entries.replace({ ...fields, id, version: entry.version })) return true;
  }
  throw new AppError('UNAVAILABLE', 'others are changing this event at the same time');
}

/** `arrived_at` aside: told again out of another batch, it may be that of an older record. */
function isSame({ id: _id, version: _version, ...kept }: EventEntry, fields: IndexedEventFields): boolean {
  return isDeepStrictEqual({ ...kept, arrived_at: fields.arrived_at }, fields);
}
