import { visible } from '../rows/visible.js';
import { PAYLOAD_FIELDS } from '@assay/domain';
import { Binder } from '../../engine/binder.js';
import { literal, type Query } from '../../engine/engine.js';
import { EVENT_READER, VERSION_COLUMN } from '../rows/event-reader.js';
import { KEY_COLUMNS, type RowKey } from '../rows/row-key.js';
import type { TableNames } from '../../schema/topology.js';
import { ofEvents } from '../rows/of-events.js';
import { byKeys, narrowById } from '../rows/row-queries.js';

const IN_PAYLOAD = `(path, value) -> splitByChar('.', path)[1] IN (${PAYLOAD_FIELDS.map(literal).join(', ')})`;
/** The indexed leaves of the payload, which the narrow row holds. */
const LEAF_COLUMNS = ['attr', 'num']
  .flatMap((kind) => [
    `CAST(mapKeys(mapFilter(${IN_PAYLOAD}, ${kind}s)), 'Array(String)') AS ${kind}_paths`,
    `mapValues(mapFilter(${IN_PAYLOAD}, ${kind}s)) AS ${kind}_values`,
  ])
  .join(', ');

/** Narrow rows by event id, with the index of their payloads. */
export function narrowRowsWithLeaves(
  tables: TableNames,
  projectId: string,
  eventIds: readonly string[],
): Query {
  return narrowById(tables, `${EVENT_READER.narrowColumns}, complete, ${LEAF_COLUMNS}`, projectId, eventIds);
}

/** Versions of payload rows with these keys. */
export function payloadVersions(tables: TableNames, projectId: string, keys: readonly RowKey[]): Query {
  return byKeys(tables.payloads, VERSION_COLUMN, projectId, { keys, binder: new Binder() });
}

/**
 * The newest visible payload of each event, at any of its locations, for the rare events without a complete row.
 */
export function payloadRowsById(tables: TableNames, projectId: string, eventIds: readonly string[]): Query {
  const binder = new Binder();
  return {
    sql:
      `SELECT ${KEY_COLUMNS}, ${EVENT_READER.payloadColumns} FROM ${visible(tables.payloads)} ` +
      `PREWHERE ${ofEvents(tables, { projectId, eventIds }, binder)} ORDER BY version DESC LIMIT 1 BY event_id`,
    bindings: binder.bindings,
  };
}

/** Changes by event id. */
export function changeRows(tables: TableNames, projectId: string, eventIds: readonly string[]): Query {
  const binder = new Binder();
  const ids = binder.bind(eventIds, 'Array(UUID)');
  const columns =
    'toString(event_id) AS key_event, patch, deleted, moved_to, update_ids, toUInt64(ver) AS version';
  return {
    sql: `SELECT ${columns} FROM ${visible(tables.changes)} WHERE project_id = ${binder.text(projectId)} AND event_id IN ${ids}`,
    bindings: binder.bindings,
  };
}
