import type { Query, SqlEngine } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';

interface KnownRow {
  readonly project_id: string;
  readonly event_id: string;
}

/** Streams the keys of everything that has a row, deleted ones too, or changes, as `projectId/eventId`. */
export async function readKnownKeys(
  engine: SqlEngine,
  tables: TableNames,
  onPage: (keys: readonly string[]) => void,
): Promise<void> {
  await engine.stream<KnownRow>(knownIds(tables), (rows) =>
    onPage(rows.map((row) => `${row.project_id}/${row.event_id}`)),
  );
}

function knownIds(tables: TableNames): Query {
  const ids = 'project_id, toString(event_id) AS event_id';
  return {
    sql: `SELECT ${ids} FROM ${tables.events} UNION ALL SELECT ${ids} FROM ${tables.changes}`,
    bindings: {},
  };
}
