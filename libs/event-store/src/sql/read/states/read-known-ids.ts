import type { SqlEngine } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';

interface KnownRow {
  readonly id: string;
}

/**
 * Streams the ids of everything that has a row, deleted ones too, or changes. With `since`, Unix seconds: of the rows those that were
 * stored from then on. Their column has an index.
 */
export async function readKnownIds(
  engine: SqlEngine,
  { events, ids, changes }: TableNames,
  onPage: (eventIds: readonly string[]) => void,
  since?: number,
): Promise<void> {
  const rows = since === undefined ? ids : `${events} WHERE stored_at >= ${Math.max(0, Math.floor(since))}`;
  const sql = [rows, changes]
    .map((from) => `SELECT toString(event_id) AS id FROM ${from}`)
    .join(' UNION ALL ');
  await engine.stream<KnownRow>({ sql, bindings: {} }, (page) => onPage(page.map(({ id }) => id)));
}
