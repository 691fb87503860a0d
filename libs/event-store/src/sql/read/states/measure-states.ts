import { EVENT_SHAPE } from '@assay/domain';
import type { StateKey } from '../../../event-store.js';
import { Binder } from '../../engine/binder.js';
import type { Query, SqlEngine } from '../../engine/engine.js';
import { fieldsByTable } from '../../schema/columns.js';
import type { TableNames } from '../../schema/topology.js';
import { ofEvents } from '../rows/of-events.js';
import { type StatesScope, scopesOf } from '../rows/keys-by-project.js';

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
  keys: readonly StateKey[],
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const withoutPayload of [false, true]) {
    const some = keys.filter((key) => (key.withoutPayload ?? false) === withoutPayload);
    for (const scope of scopesOf(some)) {
      const query = sizesQuery(tables, scope, withoutPayload ? '0' : 'payload_bytes');
      for (const { event, bytes } of await engine.query<SizeRow>(query))
        sizes.set(`${scope.projectId}/${event}`, Number(bytes));
    }
  }
  return sizes;
}

function sizesQuery(tables: TableNames, { projectId, ids }: StatesScope, payloadBytes: string): Query {
  const binder = new Binder();
  const changed = `project_id = ${binder.text(projectId)} AND event_id IN ${binder.bind(ids, 'Array(UUID)')}`;
  const stored = ofEvents(tables, { projectId, eventIds: ids }, binder);
  const largest = (table: string, size: string, onKey: string) =>
    `SELECT event_id, max(${size}) AS size FROM ${table} PREWHERE ${onKey} GROUP BY event_id`;
  return {
    sql:
      `SELECT toString(event_id) AS event, sum(size) AS bytes FROM ` +
      `(${largest(tables.events, `${payloadBytes} + ${NARROW_BYTES}`, stored)} UNION ALL ` +
      `${largest(tables.changes, 'length(patch)', changed)}) ` +
      `GROUP BY event_id`,
    bindings: binder.bindings,
  };
}
