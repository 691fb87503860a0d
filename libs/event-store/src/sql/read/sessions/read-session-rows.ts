import type { Event } from '@assay/domain';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { chunks } from '../rows/chunks.js';
import { EVENT_READER, NO_PAYLOAD, type StoredRow } from '../rows/event-reader.js';
import { isStoredId } from '../rows/stored-id.js';
import { narrowRowsById } from '../rows/row-queries.js';

/** Ids of one statement. */
const IDS_PER_QUERY = 1_000;

/** Reads the rows of sessions without their payloads; of several rows of one session that of the highest version. */
export async function readSessionRows(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  sessionIds: readonly string[],
): Promise<Event[]> {
  const newest = new Map<string, StoredRow>();
  for (const ids of chunks(sessionIds.filter(isStoredId), IDS_PER_QUERY)) {
    for (const row of await runner.query<StoredRow>(narrowRowsById(tables, projectId, ids))) {
      const other = newest.get(row.key_event);
      const isSession = row.key_event === row.key_session;
      if (isSession && (other === undefined || other.version < row.version)) newest.set(row.key_event, row);
    }
  }
  return [...newest.values()].map((row) => EVENT_READER.read(row, NO_PAYLOAD));
}
