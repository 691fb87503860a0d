import type { EventRecord } from '@assay/contracts';
import type { EventState, StatesPort } from '@assay/event-store';
import { loadStates } from '@assay/log-readers';
import { redirectCreates } from '../relocation/moved-ids.js';
import type { ConsumedEventRecord, RecordGroup } from '../shared/consumed-event-record.js';
import type { EventStateCache } from '../shared/event-state-cache.js';
import type { EventIdFilter } from './event-id-filter.js';
import { stateKeyOf, withPatch } from './narrow-update.js';

export interface LoadBatchDeps {
  readonly store: { readonly states: StatesPort };
  readonly known: EventIdFilter;
  readonly recent: EventStateCache;
}

/** The records of a batch, by what it takes to apply them. */
export interface ClassifiedRecords {
  /** Creates of events that the store cannot hold yet; their rows are stored as ingestion encoded them. */
  readonly created: readonly ConsumedEventRecord[];
  /** All other records, by event. */
  readonly toMerge: readonly RecordGroup[];
}

/** A batch with everything that is needed to apply its records. */
export interface LoadedBatch extends ClassifiedRecords {
  /** All records, grouped by event, in log order within an event. */
  readonly records: readonly EventRecord[];
  /** Stored states of the events in `toMerge`, by `projectId/eventId`; absent for events without one. */
  readonly states: ReadonlyMap<string, EventState>;
}

/** Groups records by event and separates the creates that need no look-up. */
export function classify(
  records: readonly ConsumedEventRecord[],
  known: LoadBatchDeps['known'],
): ClassifiedRecords {
  const created: ConsumedEventRecord[] = [];
  const toMerge: RecordGroup[] = [];
  for (const group of groupByEvent(records)) {
    const [only, ...rest] = group;
    if (group.length === 1 && isNew(only, known)) created.push(only);
    else toMerge.push([withPatch(only), ...rest.map(withPatch)]);
  }
  return { created, toMerge };
}

/** Returns the load step of a batch: looks up the states that its records change. */
export function makeLoadBatch(deps: LoadBatchDeps) {
  return async function loadBatch({ created, toMerge }: ClassifiedRecords): Promise<LoadedBatch> {
    const records = [...created, ...toMerge.flat()].map(({ record }) => record);
    const wanted = new Map(toMerge.map((group) => [group[0].key, stateKeyOf(group)]));
    const states = await loadStates(wanted, {
      store: deps.store,
      cached: (key, state) => deps.recent.get(key, state),
      mayBeStored: ({ eventId }) => deps.known.mayContain(eventId),
    });
    return { records, created, states, toMerge: await redirectCreates(deps.store.states, toMerge, states) };
  };
}

function groupByEvent(records: readonly ConsumedEventRecord[]): RecordGroup[] {
  const groups = new Map<string, [ConsumedEventRecord, ...ConsumedEventRecord[]]>();
  for (const one of records) {
    const group = groups.get(one.key);
    if (group) group.push(one);
    else groups.set(one.key, [one]);
  }
  return [...groups.values()];
}

/** Before a replayed create, updates of its event may have been stored. */
function isNew({ record, firstVersion }: ConsumedEventRecord, known: EventIdFilter): boolean {
  if (firstVersion !== undefined) return false;
  return record.kind === 'event' && (record.fresh || !known.mayContain(record.eventId));
}
