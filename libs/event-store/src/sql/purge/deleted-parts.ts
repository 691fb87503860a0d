import { literal, type QueryRunner } from '../engine/engine.js';
import { tableNames, type Topology } from '../schema/topology.js';
import { isUnseen, mayBeUnseen, PURGED_TABLES, type PurgedTable } from './purged-tables.js';
import { readSlices, SLICE_BOUNDS, type Slice, type SlicedPart } from './slices.js';

/** A part of a table with rows that hold values of deleted events. On several shards: the parts of this name. */
export interface DeletedPart extends SlicedPart {
  readonly table: PurgedTable;
  /** Their share of the bytes of the part. */
  readonly deletedBytes: number;
  /** Time of the oldest of these deletions, Unix milliseconds; 0 when that of one is not known. */
  readonly oldest: number;
  /** As `oldest`, among the deletions whose time is known; absent without one. */
  readonly oldestKnown?: number | undefined;
}

/**
 * Returns the parts with rows that hold values of deleted events, those with the most bytes of such rows first. Reads keys and flags only,
 * and updates of deleted events, slice by slice.
 */
export async function readDeletedParts(
  engine: QueryRunner,
  topology: Topology,
  bounds = SLICE_BOUNDS,
): Promise<DeletedPart[]> {
  const parts: DeletedPart[] = [];
  for (const table of PURGED_TABLES) {
    const found: SliceOfPart[] = [];
    for (const slice of await readSlices(engine, table, topology, bounds))
      for (const part of await readParts(engine, table, topology, slice)) found.push({ ...part, slice });
    const sizes = found.length > 0 ? await readSizes(engine, table, topology) : undefined;
    for (const name of new Set(found.map((part) => part.name))) {
      const size = sizes?.get(name);
      // A part that was merged meanwhile has another name, or no such rows any more.
      if (size === undefined) continue;
      const slices = found.filter((part) => part.name === name);
      parts.push(deletedPart(table, size, slices));
    }
  }
  return parts.sort((one, other) => other.deletedBytes - one.deletedBytes);
}

function deletedPart(table: PurgedTable, size: PartSize, slices: readonly SliceOfPart[]): DeletedPart {
  const rows = slices.reduce((sum, slice) => sum + slice.rows, 0);
  const known = slices.flatMap((slice) => (slice.known === 0 ? [] : slice.known));
  const deletedBytes = Math.ceil((size.bytes * rows) / Math.max(size.rows, rows, 1));
  const oldest = Math.min(...slices.map((slice) => slice.oldest));
  const part = { table, name: size.name, partition: slices[0]?.partition ?? '', slices };
  const oldestKnown = known.length > 0 ? Math.min(...known) : undefined;
  return { ...part, rows, bytes: size.bytes, deletedBytes, oldest, oldestKnown };
}

interface FoundPart {
  readonly name: string;
  readonly partition: string;
  readonly rows: number;
  readonly oldest: number;
  readonly known: number;
}

interface SliceOfPart extends FoundPart {
  readonly slice: Slice;
}

/** Most looks find nothing. */
async function readParts(
  engine: QueryRunner,
  table: PurgedTable,
  topology: Topology,
  slice: Slice,
): Promise<FoundPart[]> {
  const names = tableNames(topology);
  const from = names[table.readFrom];
  const within = slice.within + ofDeletedIds(table, topology, slice);
  const sql = `SELECT 1 FROM ${from} WHERE ${mayBeUnseen(table, { ...names, from }, within)}${within} LIMIT 1`;
  const [some] = await engine.query({ sql, bindings: {} });
  if (some === undefined) return [];
  return engine.query<FoundPart>({ sql: partsSql(table, topology, { slice, within }), bindings: {} });
}

function partsSql(
  table: PurgedTable,
  topology: Topology,
  { slice, within }: { readonly slice: Slice; readonly within: string },
): string {
  const names = tableNames(topology);
  const { key, deletionKey } = table;
  const from = names[table.readFrom];
  const rows =
    `SELECT ${key}, _part AS name, _partition_id AS partition FROM ${from} ` +
    `WHERE ${isUnseen(table, { ...names, from }, within)}${within}`;
  // Those of ids alone are compared by the id, so that only ids of this table matter.
  const ofTable = table.hasHour
    ? ''
    : ` AND (${deletionKey}) GLOBAL IN (SELECT ${deletionKey} FROM ${from} WHERE ${table.deletes}${slice.within})`;
  // Tombstones of earlier releases have no time.
  const times =
    `SELECT ${deletionKey}, min(ifNull(end_time, 0)) AS deleted_at FROM ${names.events} WHERE is_deleted = 1${slice.within}${ofTable} ` +
    `GROUP BY ${deletionKey}`;
  return (
    'SELECT name, partition, toFloat64(count()) AS rows, min(deleted_at) AS oldest, minIf(deleted_at, deleted_at > 0) AS known ' +
    `FROM (${rows}) AS dead GLOBAL LEFT JOIN (${times}) AS times USING (${deletionKey}) GROUP BY name, partition`
  );
}

/** Updates are wide, so that only those of ids that were deleted, or whose events were, are looked at. */
function ofDeletedIds({ table }: PurgedTable, topology: Topology, { within }: Slice): string {
  if (table !== 'event_changes') return '';
  const { events, changes } = tableNames(topology);
  const key = 'project_id, event_id';
  return (
    ` AND (${key}) GLOBAL IN (SELECT ${key} FROM ${events} WHERE is_deleted = 1${within} ` +
    `AND (${key}) GLOBAL IN (SELECT ${key} FROM ${changes} WHERE 1 = 1${within}) ` +
    `UNION DISTINCT SELECT ${key} FROM ${changes} WHERE deleted = 1${within})`
  );
}

export interface PartSize {
  readonly name: string;
  readonly bytes: number;
  readonly rows: number;
  /** Seconds since the engine wrote it, by an insert, a merge or a rewrite. */
  readonly age: number;
  /** Number of the newest insert of which it has rows. */
  readonly lastInsert: number;
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
      'SELECT name, toFloat64(sum(bytes_on_disk)) AS bytes, toFloat64(sum(parts.rows)) AS rows, ' +
      'toFloat64(toUnixTimestamp(now())) - toFloat64(max(toUnixTimestamp(modification_time))) AS age, ' +
      `toFloat64(max(max_block_number)) AS lastInsert FROM ${parts} AS parts ` +
      `WHERE active AND database = ${literal(database)} AND table = ${literal(table)} GROUP BY name`,
    bindings: {},
  });
  return new Map(sizes.map((size) => [size.name, size]));
}
