import type { EventShape, NamedField } from '@assay/domain';
import { columnOf } from './columns.js';
import { MEDIA_VERSION } from './media.js';
import type { Migration } from './migration.js';
import { onCluster, type Topology } from './topology.js';
import { alterView, eventsView, formerEventsView, formerPayloadView, payloadView } from './views.js';

/**
 * The migrations that add columns for the fields declared with `addedIn`. The stored tables come first and
 * the ingest table last, so that a view never reads a column that its target lacks.
 */
export function addedFieldMigrations(topology: Topology, shape: EventShape): Migration[] {
  const versions = [...new Set(shape.fields.flatMap(({ addedIn }) => addedIn ?? []))];
  return versions
    .sort((one, other) => one - other)
    .map((version) => ({ version, statements: addFields(topology, shape, version) }));
}

function addFields(topology: Topology, shape: EventShape, version: number): string[] {
  const known = { ...shape, fields: shape.fields.filter(({ addedIn = 0 }) => addedIn <= version) };
  const added = known.fields.filter(({ addedIn }) => addedIn === version);
  const distributed = topology.cluster === undefined ? [] : ['_all'];
  const addColumn = (field: NamedField) =>
    [field.payload ? 'event_payloads' : 'events', 'events_ingest'].flatMap((table) =>
      ['', ...distributed].map(
        (suffix) =>
          `ALTER TABLE ${topology.database}.${table}${suffix}${onCluster(topology)} ` +
          `ADD COLUMN IF NOT EXISTS ${columnOf(field)}`,
      ),
    );
  const views =
    version < MEDIA_VERSION
      ? [formerPayloadView(topology, known), formerEventsView(topology, known)]
      : [payloadView(topology, known), eventsView(topology, known)];
  return [...added.flatMap(addColumn), ...views.map((view) => alterView(topology, view))];
}
