import type { EventShape } from '@assay/domain';
import type { Migration } from './migration.js';
import { onCluster, type Topology } from './topology.js';
import { alterView, formerEventsView } from './views.js';

/** The migration from which on a row says when it was stored. */
export const STORED_AT_VERSION = 12;

/**
 * Adds the time at which a row was stored, in seconds. Rows before have 0. What a process of the release before inserts through the ingest
 * table has the time of the engine; its updates that keep a payload have 0.
 */
export function storedAt(topology: Topology, shape: EventShape): Migration {
  const { database } = topology;
  const known = {
    ...shape,
    fields: shape.fields.filter(({ addedIn = 0 }) => addedIn < STORED_AT_VERSION),
  };
  const distributed = topology.cluster === undefined ? [] : ['_all'];
  const addColumn = (table: string, definition: string) =>
    `ALTER TABLE ${database}.${table}${onCluster(topology)} ADD COLUMN IF NOT EXISTS stored_at ${definition}`;
  const addIndex =
    `ALTER TABLE ${database}.events${onCluster(topology)} ` +
    'ADD INDEX IF NOT EXISTS ix_stored stored_at TYPE minmax GRANULARITY 1';
  return {
    version: STORED_AT_VERSION,
    statements: [
      ...['', ...distributed].map((suffix) =>
        addColumn(`events${suffix}`, `DateTime('UTC')${suffix === '' ? ' CODEC(Delta(4), ZSTD(1))' : ''}`),
      ),
      addIndex,
      ...['', ...distributed].map((suffix) =>
        addColumn(`events_ingest${suffix}`, `DateTime('UTC') DEFAULT now()`),
      ),
      alterView(topology, formerEventsView(topology, known)),
    ],
  };
}
