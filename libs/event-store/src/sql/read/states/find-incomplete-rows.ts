import { visible } from '../rows/visible.js';
import type { IncompleteRows, Tombstone } from '../../../event-store.js';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';

interface LocatedRow {
  readonly project_id: string;
  readonly event: string;
  readonly session: string;
  readonly start: number;
  readonly version: number;
}

/** A hash of the sort key: the set of all of them takes an eighth of the memory of the keys. */
const KEY_HASH = 'cityHash64(project_id, start_hour, session_id, event_id)';

/** Compares the visible rows of both tables. */
export async function readIncompleteRows(
  runner: QueryRunner,
  { events, payloads }: TableNames,
  limit: number,
): Promise<IncompleteRows> {
  const digests = await Promise.all([readDigest(runner, events), readDigest(runner, payloads)]);
  if (digests[0] === digests[1]) return { withoutPayload: [], payloadOnly: [] };
  return {
    withoutPayload: await readMissing(runner, { from: events, other: payloads, start: 'start_time', limit }),
    payloadOnly: await readMissing(runner, {
      from: payloads,
      other: events,
      start: 'toUnixTimestamp64Milli(start_at)',
      limit,
    }),
  };
}

/** Sums the hashes of the visible keys, which costs less than half of comparing them. */
async function readDigest(runner: QueryRunner, table: string): Promise<string> {
  const [row] = await runner.query<{ digest: string }>({
    sql: `SELECT concat(toString(sum(${KEY_HASH})), '/', toString(count())) AS digest FROM ${visible(table)}`,
    bindings: {},
  });
  return row?.digest ?? '';
}

interface Comparison {
  readonly from: string;
  readonly other: string;
  readonly start: string;
  readonly limit: number;
}

async function readMissing(
  runner: QueryRunner,
  { from, other, start, limit }: Comparison,
): Promise<Tombstone[]> {
  const columns =
    `project_id, toString(event_id) AS event, toString(session_id) AS session, ${start} AS start, ` +
    'toUInt64(ver) AS version';
  const sql =
    `SELECT ${columns} FROM ${visible(from)} WHERE ${KEY_HASH} NOT IN (SELECT ${KEY_HASH} FROM ${visible(other)}) ` +
    `LIMIT {p0:UInt64}`;
  const rows = await runner.query<LocatedRow>({ sql, bindings: { p0: limit } });
  return rows.map((row) => ({
    projectId: row.project_id,
    eventId: row.event,
    sessionId: row.session,
    startTime: row.start,
    version: row.version,
  }));
}
