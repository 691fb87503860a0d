import { literal, type QueryRunner } from '../engine/engine.js';
import { tableNames, type Topology } from '../schema/topology.js';
import { isUnseen, mayBeUnseen, PURGED_TABLES, type PurgedTable } from './purged-tables.js';

/** A part of a table with rows that hold values of deleted events. On several shards: the parts of this name. */
export interface DeletedPart {
  readonly table: PurgedTable;
  readonly name: string;
  readonly partition: string;
  /** Such rows. */
  readonly rows: number;
  /** Their share of the bytes of the part. */
  readonly deletedBytes: number;
  /** Bytes of the part on disk. */
  readonly bytes: number;
  /** Time of the oldest of these deletions, Unix milliseconds; 0 when that of one is not known. */
  readonly oldest: number;
  /** As `oldest`, among the deletions whose time is known; absent without one. */
  readonly oldestKnown?: number;
}

/**
 * Returns the parts with rows that hold values of deleted events, those with the most bytes of such rows first. Reads keys and flags only,
 * and updates of deleted events.
 */
export async function readDeletedParts(engine: QueryRunner, topology: Topology): Promise<DeletedPart[]> {
  const parts: DeletedPart[] = [];
  for (const table of PURGED_TABLES) {
    const found = await readParts(engine, table, topology);
    const sizes = found.length > 0 ? await readSizes(engine, table, topology) : undefined;
    for (const { name, partition, rows, oldest, known } of found) {
      const size = sizes?.get(name);
      // A part that was merged meanwhile has another name, or no such rows any more.
      if (size === undefined) continue;
      const deletedBytes = Math.ceil((size.bytes * rows) / Math.max(size.rows, rows, 1));
      const oldestKnown = known === 0 ? undefined : known;
      parts.push({ table, name, partition, rows, deletedBytes, bytes: size.bytes, oldest, oldestKnown });
    }
  }
  return parts.sort((one, other) => other.deletedBytes - one.deletedBytes);
}

interface FoundPart {
  readonly name: string;
  readonly partition: string;
  readonly rows: number;
  readonly oldest: number;
  readonly known: number;
}

/** Most looks find nothing. */
async function readParts(engine: QueryRunner, table: PurgedTable, topology: Topology): Promise<FoundPart[]> {
  const names = tableNames(topology);
  const from = names[table.readFrom];
  const sql = `SELECT 1 FROM ${from} WHERE ${mayBeUnseen(table, { ...names, from }, ofDeletedIds(table, topology))} LIMIT 1`;
  const [some] = await engine.query({ sql, bindings: {} });
  return some === undefined ? [] : engine.query<FoundPart>({ sql: partsSql(table, topology), bindings: {} });
}

function partsSql(table: PurgedTable, topology: Topology): string {
  const names = tableNames(topology);
  const { key, deletionKey } = table;
  const rows =
    `SELECT ${key}, _part AS name, _partition_id AS partition FROM ${names[table.readFrom]} ` +
    `WHERE ${isUnseen(table, { ...names, from: names[table.readFrom] }, ofDeletedIds(table, topology))}`;
  // Tombstones of earlier releases have no time.
  const times =
    `SELECT ${deletionKey}, min(ifNull(end_time, 0)) AS deleted_at FROM ${names.events} WHERE is_deleted = 1 ` +
    `GROUP BY ${deletionKey}`;
  return (
    'SELECT name, partition, toFloat64(count()) AS rows, min(deleted_at) AS oldest, minIf(deleted_at, deleted_at > 0) AS known ' +
    `FROM (${rows}) AS dead GLOBAL LEFT JOIN (${times}) AS times USING (${deletionKey}) GROUP BY name, partition`
  );
}

/** Updates are wide, so that only those of ids that were deleted, or whose events were, are looked at. */
function ofDeletedIds({ table }: PurgedTable, topology: Topology): string {
  if (table !== 'event_changes') return '';
  const { events, changes } = tableNames(topology);
  return (
    ` AND (project_id, event_id) GLOBAL IN (SELECT project_id, event_id FROM ${events} WHERE is_deleted = 1 ` +
    `UNION DISTINCT SELECT project_id, event_id FROM ${changes} WHERE deleted = 1)`
  );
}

export interface PartSize {
  readonly name: string;
  readonly bytes: number;
  readonly rows: number;
}

/** Sizes of the parts by name; one replica of each shard is asked. */
export async function readSizes(
  engine: QueryRunner,
  { table }: Pick<PurgedTable, 'table'>,
  { database, cluster }: Topology,
): Promise<ReadonlyMap<string, PartSize>> {
  const parts = cluster === undefined ? 'system.parts' : `cluster('${cluster}', system, parts)`;
  const sizes = await engine.query<PartSize>({
    sql:
      `SELECT name, toFloat64(sum(bytes_on_disk)) AS bytes, toFloat64(sum(parts.rows)) AS rows FROM ${parts} AS parts ` +
      `WHERE active AND database = ${literal(database)} AND table = ${literal(table)} GROUP BY name`,
    bindings: {},
  });
  return new Map(sizes.map((size) => [size.name, size]));
}
