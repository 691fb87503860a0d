import { isDeepStrictEqual } from 'node:util';
import type { NewDocument } from '@assay/document-store';
import { AppError } from '@assay/errors';
import {
  type EventEntryCollection,
  type EventEntry,
  entryId,
  indexedEvent,
  type IndexedEventFields,
  type ForwardedUpsert,
} from './indexed-event.js';

const ATTEMPTS = 20;
/** Documents that are read and written together. */
const AT_ONCE = 500;

/** What was told, and the document that it makes. */
interface Wanted extends NewDocument<IndexedEventFields> {
  readonly told: ForwardedUpsert;
}

/**
 * Keeps events unless something newer is known, in one round trip for each 500 new ones. Returns those that are now kept as they were told: they go on to
 * the queues, also when they were told before, because the process may have ended on the way there.
 *
 * The same version may be told with another content: the data plane reads the newest state while it is being written, and tells it once more
 * when it is complete.
 * @throws AppError `UNAVAILABLE` when others change one of them at the same time, again and again
 */
export async function upsertEvents(
  entries: EventEntryCollection,
  told: readonly ForwardedUpsert[],
): Promise<ForwardedUpsert[]> {
  const kept: ForwardedUpsert[] = [];
  for (let start = 0; start < told.length; start += AT_ONCE)
    kept.push(...(await insertBatch(entries, told.slice(start, start + AT_ONCE))));
  return kept;
}

async function insertBatch(
  entries: EventEntryCollection,
  told: readonly ForwardedUpsert[],
): Promise<readonly ForwardedUpsert[]> {
  const wanted = told.map(wantedOf);
  if (await entries.insertMissing(wanted)) return told;
  return upsertConflicting(entries, wanted);
}

/** Among what is there already. */
async function upsertConflicting(
  entries: EventEntryCollection,
  wanted: readonly Wanted[],
): Promise<ForwardedUpsert[]> {
  const kept = new Set<Wanted>();
  let open = wanted;
  for (let attempt = 0; attempt < ATTEMPTS && open.length > 0; attempt++) {
    const step = nextStep(open, await entries.getAll(open.map(({ id }) => id)));
    for (const one of step.kept) kept.add(one);
    const written = [...step.missing, ...step.older.map((older) => older.wanted)];
    const inserted = await entries.insertMissing(step.missing);
    const replaced = await entries.replaceAll(
      step.older.map((older) => ({ ...older.wanted.fields, id: older.wanted.id, version: older.version })),
    );
    open = inserted && replaced ? [] : written;
    if (open.length === 0) for (const one of written) kept.add(one);
  }
  if (open.length > 0) throw new AppError('UNAVAILABLE', 'others are changing these events at the same time');
  return wanted.filter((one) => kept.has(one)).map((one) => one.told);
}

function wantedOf(told: ForwardedUpsert): Wanted {
  return { told, id: entryId(told.event.project_id, told.event.event_id), fields: indexedEvent(told) };
}

interface Step {
  /** As wanted already. */
  readonly kept: Wanted[];
  readonly missing: Wanted[];
  /** To be replaced if they are still of this version. */
  readonly older: { readonly wanted: Wanted; readonly version: number }[];
}

/** What is deleted, or newer than what was told, is left as it is. */
function nextStep(open: readonly Wanted[], found: readonly EventEntry[]): Step {
  const entryOf = new Map(found.map((entry) => [entry.id, entry]));
  const step: Step = { kept: [], missing: [], older: [] };
  for (const wanted of open) {
    const entry = entryOf.get(wanted.id);
    if (!entry) step.missing.push(wanted);
    else if (entry.deleted || entry.event_version > wanted.told.version) continue;
    else if (isSame(entry, wanted.fields)) step.kept.push(wanted);
    else step.older.push({ wanted, version: entry.version });
  }
  return step;
}

/** `arrived_at` aside: told again out of another batch, it may be that of an older record. */
function isSame({ id: _id, version: _version, ...kept }: EventEntry, fields: IndexedEventFields): boolean {
  return isDeepStrictEqual({ ...kept, arrived_at: fields.arrived_at }, fields);
}
