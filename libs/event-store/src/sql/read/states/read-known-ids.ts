import { unavailable } from '@assay/errors';
import type { WantedIds } from '../../../event-store.js';
import type { SqlEngine } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';

/** Characters of an id: the text of an error behind the rows is none. */
const ID_LENGTH = 36;

/**
 * Streams the ids of everything that has a row, deleted ones too, or changes. With `since`, Unix seconds: of the rows those that were
 * stored from then on. Their column has an index. Returns false when the tables have more than `atMost`, which they know without
 * reading a row.
 */
export async function readKnownIds(
  engine: SqlEngine,
  { events, ids, changes }: TableNames,
  onPage: (eventIds: readonly string[]) => void,
  { since, atMost = Infinity }: WantedIds,
): Promise<boolean> {
  if (atMost < Infinity) {
    const counts = `toFloat64((SELECT count() FROM ${ids}) + (SELECT count() FROM ${changes}))`;
    const [found] = await engine.query<{ total: number }>({ sql: `SELECT ${counts} AS total`, bindings: {} });
    if ((found?.total ?? 0) > atMost) return false;
  }
  const rows = since === undefined ? ids : `${events} WHERE stored_at >= ${Math.max(0, Math.floor(since))}`;
  const sql = [rows, changes].map((from) => `SELECT toString(event_id) FROM ${from}`).join(' UNION ALL ');
  await engine.stream({ sql, bindings: {} }, (page) => {
    if (page.some(({ length }) => length !== ID_LENGTH))
      throw unavailable('the ids of the store ended early');
    onPage(page);
  });
  return true;
}
