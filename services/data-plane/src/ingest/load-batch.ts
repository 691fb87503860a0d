import type { EventRecord } from '@assay/contracts';
import type { EventKey, EventState, StateKey, StatesPort } from '@assay/event-store';
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

const WITHOUT_PAYLOAD = { withoutPayload: true } as const;

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

/**
 * Groups records by event and separates the creates of new events. The store is asked about those that the filter reports as possibly
 * stored.
 */
export async function classify(
  records: readonly ConsumedEventRecord[],
  { store, known, recent }: LoadBatchDeps,
): Promise<ClassifiedRecords> {
  const created: ConsumedEventRecord[] = [];
  const toMerge: RecordGroup[] = [];
  const doubtful: RecordGroup[] = [];
  for (const group of groupByEvent(records)) {
    const [{ key, record }] = group;
    if (!isOneCreate(group)) toMerge.push(group);
    else if (record.fresh || !known.mayContain(record.eventId)) created.push(group[0]);
    else if (recent.has(key, WITHOUT_PAYLOAD)) toMerge.push(group);
    else doubtful.push(group);
  }
  if (doubtful.length > 0) {
    const stored = await store.states.sizes(doubtful.map(([{ record }]) => stateKey(record)));
    for (const group of doubtful)
      if (stored.has(group[0].key)) toMerge.push(group);
      else created.push(group[0]);
  }
  return { created, toMerge: toMerge.map(([first, ...rest]) => [withPatch(first), ...rest.map(withPatch)]) };
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
function isOneCreate([{ record, firstVersion }, ...rest]: RecordGroup): boolean {
  return rest.length === 0 && firstVersion === undefined && record.kind === 'event';
}

function stateKey({ projectId, eventId }: EventKey): StateKey {
  return { projectId, eventId, ...WITHOUT_PAYLOAD };
}
