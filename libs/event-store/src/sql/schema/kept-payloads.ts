import type { EventShape } from '@assay/domain';
import type { Migration } from './migration.js';
import { onCluster, type Topology } from './topology.js';
import { alterView, formerEventsView, formerPayloadView } from './views.js';

/** The migration from which on a row can keep the payload that is stored at its location. */
export const KEPT_PAYLOADS_VERSION = 7;

/**
 * Of a row that keeps its payload, the version of the payload plus one; 0 for a row that has a payload of its own.
 * The second column holds the size of the kept payload.
 */
const COLUMNS = ['kept_ver UInt64', 'kept_bytes UInt64'];

/**
 * Adds the columns of rows that keep their payload, and leaves such rows out of the payload table. The stored table
 * gets all columns of the ingest table, because the views of the first release select them all.
 */
export function keptPayloads(topology: Topology, shape: EventShape): Migration {
  const known = {
    ...shape,
    fields: shape.fields.filter(({ addedIn = 0 }) => addedIn < KEPT_PAYLOADS_VERSION),
  };
  const distributed = topology.cluster === undefined ? [] : ['_all'];
  const addColumns = ['events', 'events_ingest'].flatMap((table) =>
    ['', ...distributed].map(
      (suffix) =>
        `ALTER TABLE ${topology.database}.${table}${suffix}${onCluster(topology)} ` +
        COLUMNS.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', '),
    ),
  );
  return {
    version: KEPT_PAYLOADS_VERSION,
    statements: [
      ...addColumns,
      alterView(topology, formerPayloadView(topology, known)),
      alterView(topology, formerEventsView(topology, known)),
    ],
  };
}
