import type { ChangeFlags, EventKey } from '../../../event-store.js';
import { Binder } from '../../engine/binder.js';
import { HAS_FLAGS } from '../../schema/columns.js';
import type { Query, QueryRunner } from '../../engine/engine.js';
import { chunks } from '../rows/chunks.js';
import { byProject } from '../rows/keys-by-project.js';
import type { TableNames } from '../../schema/topology.js';

/** Ids of one statement. */
const IDS_PER_QUERY = 1_000;

interface FlagsRow {
  readonly event: string;
  readonly is_deleted: number;
  /** Empty: not moved. */
  readonly target: string;
}

/** Deleted stays deleted, and the first move counts, so any version of the changes that says so will do. */
export async function readChangeFlags(
  engine: QueryRunner,
  tables: TableNames,
  keys: readonly EventKey[],
): Promise<Map<string, ChangeFlags>> {
  const flags = new Map<string, ChangeFlags>();
  for (const [projectId, eventIds] of byProject(keys)) {
    for (const ids of chunks([...eventIds], IDS_PER_QUERY)) {
      for (const row of await engine.query<FlagsRow>(flagsQuery(tables, projectId, ids)))
        flags.set(`${projectId}/${row.event}`, toChangeFlags(row));
    }
  }
  return flags;
}

function toChangeFlags(row: FlagsRow): ChangeFlags {
  return { deleted: row.is_deleted === 1, ...(row.target === '' ? {} : { movedTo: row.target }) };
}

function flagsQuery(tables: TableNames, projectId: string, eventIds: readonly string[]): Query {
  const binder = new Binder();
  const ids = binder.bind(eventIds, 'Array(UUID)');
  const where = `project_id = ${binder.text(projectId)} AND event_id IN ${ids} AND ${HAS_FLAGS} = 1`;
  const columns = 'toString(event_id) AS event, max(deleted) AS is_deleted, max(moved_to) AS target';
  return {
    sql: `SELECT ${columns} FROM ${tables.changes} WHERE ${where} GROUP BY event_id`,
    bindings: binder.bindings,
  };
}
