import { AppError } from '@assay/errors';
import type { EventKey, EventState, StateKey, Tombstone } from '../../../event-store.js';
import type { QueryRunner } from '../../engine/engine.js';
import { isOverLimit } from '../../engine/engine-failure.js';
import { chunks } from '../rows/chunks.js';
import { fetchPairs } from './pair-rows.js';
import { readChanges, type ChangeRow } from './change-row.js';
import type { NarrowRow } from '../rows/event-reader.js';
import { readNarrowStates } from './read-narrow-states.js';
import { type StatesScope, scopesOf } from '../rows/keys-by-project.js';
import { changeRows } from './state-queries.js';
import { narrowRowsById } from '../rows/row-queries.js';
import type { TableNames } from '../../schema/topology.js';

/** The states of events, of any number of projects; a key that is no lower-case UUID is unknown. */
export async function readStates(
  engine: QueryRunner,
  tables: TableNames,
  keys: readonly StateKey[],
): Promise<Map<string, EventState>> {
  const states = new Map<string, EventState>();
  const narrow = keys.filter(({ withoutPayload }) => withoutPayload);
  const whole = narrow.length === 0 ? keys : keys.filter(({ withoutPayload }) => !withoutPayload);
  const unsettled: EventKey[] = [];
  for (const scope of scopesOf(narrow))
    for (const eventId of await readNarrowStates(engine, tables, scope, states))
      unsettled.push({ projectId: scope.projectId, eventId });
  for (const scope of scopesOf([...whole, ...unsettled])) await readChunk(engine, tables, scope, states);
  return states;
}

/** Reads states in halves when they are too large together, so that large events are read in the end. */
async function readChunk(
  engine: QueryRunner,
  tables: TableNames,
  scope: StatesScope,
  states: Map<string, EventState>,
): Promise<void> {
  try {
    await readWhole(engine, tables, scope, states);
  } catch (error) {
    const { projectId, ids } = scope;
    if (ids.length <= 1 || !(error instanceof AppError) || !isOverLimit(error.cause)) throw error;
    for (const half of chunks(ids, Math.ceil(ids.length / 2)))
      await readChunk(engine, tables, { projectId, ids: half }, states);
  }
}

async function readWhole(
  engine: QueryRunner,
  tables: TableNames,
  { projectId, ids }: StatesScope,
  states: Map<string, EventState>,
): Promise<void> {
  const [narrow, changes] = await Promise.all([
    engine.query<NarrowRow>(narrowRowsById(tables, projectId, ids)),
    engine.query<ChangeRow>(changeRows(tables, projectId, ids)),
  ]);
  const { events, incomplete } = await fetchPairs(engine, tables, projectId, narrow);
  for (const event of events) states.set(`${projectId}/${event.event_id}`, { event });
  for (const row of incomplete) {
    const key = `${projectId}/${row.key_event}`;
    const state = states.get(key);
    states.set(key, { ...state, incomplete: [...(state?.incomplete ?? []), tombstoneOf(projectId, row)] });
  }
  for (const row of changes) {
    const key = `${projectId}/${row.key_event}`;
    states.set(key, { ...states.get(key), changes: readChanges(projectId, row) });
  }
}

function tombstoneOf(projectId: string, row: NarrowRow): Tombstone {
  const { key_event: eventId, key_session: sessionId, start_time: startTime, version } = row;
  return { projectId, eventId, sessionId, startTime: Number(startTime), version };
}
