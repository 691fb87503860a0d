import { EVENT_SHAPE } from '@assay/domain';
import type { EventKey } from '../../event-store.js';
import { Binder } from '../engine/binder.js';
import type { Query, SqlEngine } from '../engine/engine.js';
import { fieldsByTable } from '../schema/columns.js';
import type { TableNames } from '../schema/topology.js';
import { chunks } from './chunks.js';
import { byProject } from './read-states.js';

/** Ids of one statement. */
const IDS_PER_QUERY = 1_000;

interface SizeRow {
  readonly event: string;
  readonly bytes: number;
}

/** Columns of the narrow table whose size a client chooses. Their lengths are stored apart from their values. */
const NARROW_BYTES = fieldsByTable(EVENT_SHAPE)
  .narrow.filter(({ type }) => type === 'object')
  .map(({ name }) => `length(${name})`)
  .join(' + ');

/** Returns the bytes of stored states by `projectId/eventId`: of several versions of a row the largest. */
export async function readStateSizes(
  engine: SqlEngine,
  tables: TableNames,
  keys: readonly EventKey[],
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const [projectId, eventIds] of byProject(keys)) {
    for (const ids of chunks([...eventIds], IDS_PER_QUERY)) {
      const rows = await engine.query<SizeRow>(sizesQuery(tables, projectId, ids));
      for (const { event, bytes } of rows) sizes.set(`${projectId}/${event}`, Number(bytes));
    }
  }
  return sizes;
}

function sizesQuery(tables: TableNames, projectId: string, eventIds: readonly string[]): Query {
  const binder = new Binder();
  const scope = `project_id = ${binder.text(projectId)} AND event_id IN ${binder.bind(eventIds, 'Array(UUID)')}`;
  const largest = (table: string, size: string) =>
    `SELECT event_id, max(${size}) AS size FROM ${table} WHERE ${scope} GROUP BY event_id`;
  return {
    sql:
      `SELECT toString(event_id) AS event, sum(size) AS bytes FROM ` +
      `(${largest(tables.events, `payload_bytes + ${NARROW_BYTES}`)} UNION ALL ${largest(tables.changes, 'length(patch)')}) ` +
      `GROUP BY event_id`,
    bindings: binder.bindings,
  };
}
