import type { Event } from '@assay/domain';
import type { EventState, StoredPayload } from '../../../event-store.js';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { readChanges, type ChangeRow } from './change-row.js';
import { EVENT_READER, type NarrowRow, type StoredRow } from '../rows/event-reader.js';
import { rowKeyText } from '../rows/row-key.js';
import { changeRows, narrowRowsWithLeaves, payloadVersions } from './state-queries.js';
import type { StatesScope } from '../rows/keys-by-project.js';

/** A narrow row with the index of its payload. */
interface RowWithLeaves extends NarrowRow {
  readonly complete: boolean;
  readonly attr_paths: string[];
  readonly attr_values: string[];
  readonly num_paths: string[];
  readonly num_values: number[];
}

/**
 * Reads states without payloads. Returns the ids of events whose state has to be read with its payload: those that
 * have several rows, or whose row, payload and changes do not belong together, because a write stopped between them.
 */
export async function readNarrowStates(
  engine: QueryRunner,
  tables: TableNames,
  { projectId, ids }: StatesScope,
  states: Map<string, EventState>,
): Promise<string[]> {
  const [narrow, changes] = await Promise.all([
    engine.query<RowWithLeaves>(narrowRowsWithLeaves(tables, projectId, ids)),
    engine.query<ChangeRow>(changeRows(tables, projectId, ids)),
  ]);
  const payloads =
    narrow.length === 0 ? [] : await engine.query<StoredRow>(payloadVersions(tables, projectId, narrow));
  const versions = new Map(payloads.map((row) => [rowKeyText(row), row.version]));
  const changesOf = new Map(changes.map((row) => [row.key_event, readChanges(projectId, row)]));
  const found = new Map<string, EventState>();
  const unsettled = new Set<string>();
  for (const row of narrow) {
    const id = row.key_event;
    const isSettled =
      versions.get(rowKeyText(row)) === row.payload_version &&
      (changesOf.get(id)?.version ?? 0) <= row.version;
    if (!isSettled || found.has(id)) unsettled.add(id);
    found.set(id, stateOf(row));
  }
  for (const id of new Set([...found.keys(), ...changesOf.keys()])) {
    const changed = changesOf.get(id);
    if (!unsettled.has(id))
      states.set(`${projectId}/${id}`, { ...found.get(id), ...(changed && { changes: changed }) });
  }
  return [...unsettled];
}

function stateOf(row: RowWithLeaves): EventState {
  const event: Event = EVENT_READER.readNarrow(row);
  const payload: StoredPayload = {
    version: row.payload_version,
    bytes: row.payload_bytes,
    leaves: {
      attrs: { paths: row.attr_paths, values: row.attr_values },
      nums: { paths: row.num_paths, values: row.num_values },
      complete: row.complete,
    },
  };
  return { event: { ...event, version: row.version }, payload, withoutPayload: true };
}
