import { isDeepStrictEqual } from 'node:util';
import type { NewDocument } from '@assay/document-store';
import { chunks } from '../shared/chunks.js';
import { LOST, retryWhileLost } from '../shared/update-with-retry.js';
import {
  BATCH_SIZE,
  type EventEntry,
  type EventEntryCollection,
  entryId,
  EVENT_RETRY,
  type ForwardedUpsert,
  indexedEvent,
  type IndexedEventFields,
} from './indexed-event.js';

/** Forwarded event with its document. */
interface Upsert extends NewDocument<IndexedEventFields> {
  readonly forwarded: ForwardedUpsert;
}

/**
 * Stores events unless a newer version is stored, in one round trip for each 500 new events. Returns the
 * events whose forwarded version is now stored. They are routed to queues even if they were stored before,
 * because the process may have ended before routing them.
 *
 * A version may be forwarded twice with different content: the data plane reads the newest state while it is
 * being written, and forwards it again when it is complete.
 * @throws AppError `UNAVAILABLE` after repeated concurrent updates of one of the events
 */
export async function upsertEvents(
  entries: EventEntryCollection,
  forwarded: readonly ForwardedUpsert[],
): Promise<ForwardedUpsert[]> {
  const stored: ForwardedUpsert[] = [];
  for (const batch of chunks(forwarded, BATCH_SIZE)) stored.push(...(await insertBatch(entries, batch)));
  return stored;
}

async function insertBatch(
  entries: EventEntryCollection,
  forwarded: readonly ForwardedUpsert[],
): Promise<readonly ForwardedUpsert[]> {
  const upserts = forwarded.map(toUpsert);
  if (await entries.insertMissing(upserts)) return forwarded;
  return upsertConflicting(entries, upserts);
}

/** Stores events some of which exist already. */
async function upsertConflicting(
  entries: EventEntryCollection,
  upserts: readonly Upsert[],
): Promise<ForwardedUpsert[]> {
  const stored = new Set<Upsert>();
  let pending = upserts;
  await retryWhileLost(async () => {
    const plan = planOf(pending, await entries.getAll(pending.map(({ id }) => id)));
    for (const upsert of plan.unchanged) stored.add(upsert);
    const inserted = await entries.insertMissing(plan.missing);
    const replaced = await entries.replaceAll(
      plan.outdated.map(({ upsert, version }) => ({ ...upsert.fields, id: upsert.id, version })),
    );
    const written = [...plan.missing, ...plan.outdated.map(({ upsert }) => upsert)];
    if (inserted && replaced) {
      for (const upsert of written) stored.add(upsert);
      return undefined;
    }
    pending = written;
    return LOST;
  }, EVENT_RETRY);
  return upserts.filter((upsert) => stored.has(upsert)).map(({ forwarded }) => forwarded);
}

function toUpsert(forwarded: ForwardedUpsert): Upsert {
  const { event } = forwarded;
  return { forwarded, id: entryId(event.project_id, event.event_id), fields: indexedEvent(forwarded) };
}

/** Writes of one attempt. Events that are deleted or stored in a newer version are in none of the lists. */
interface Plan {
  readonly unchanged: Upsert[];
  readonly missing: Upsert[];
  /** Replaced only if the stored document still has this version. */
  readonly outdated: { readonly upsert: Upsert; readonly version: number }[];
}

function planOf(upserts: readonly Upsert[], found: readonly EventEntry[]): Plan {
  const entryOf = new Map(found.map((entry) => [entry.id, entry]));
  const plan: Plan = { unchanged: [], missing: [], outdated: [] };
  for (const upsert of upserts) {
    const entry = entryOf.get(upsert.id);
    if (!entry) plan.missing.push(upsert);
    else if (entry.deleted || entry.event_version > upsert.forwarded.version) continue;
    else if (isSame(entry, upsert.fields)) plan.unchanged.push(upsert);
    else plan.outdated.push({ upsert, version: entry.version });
  }
  return plan;
}

/** Ignores `arrived_at`: forwarded again in another batch, it may be that of an older record. */
function isSame({ id: _id, version: _version, ...stored }: EventEntry, fields: IndexedEventFields): boolean {
  return isDeepStrictEqual({ ...stored, arrived_at: fields.arrived_at }, fields);
}
