import { literal, type QueryRunner } from '../engine/engine.js';
import { onCluster, tableNames, type Topology } from '../schema/topology.js';
import type { DeletedPart } from './deleted-parts.js';
import { isUnseen, PURGED_TABLES } from './purged-tables.js';
import { largestSlices, withinOne, type Slice, type SliceBounds, type SlicedPart } from './slices.js';

/** By this condition, which no other statement has, rewrites are recognised among the mutations of a table. */
export const OF_PARTS = '_part IN';
/** Tables of which parts are rewritten to remove values. */
export const REWRITTEN_TABLES = [...PURGED_TABLES.map(({ table }) => table), 'media'];
/** The same with those that have no values. */
const ALL_TABLES = [...REWRITTEN_TABLES, 'event_ids'];

/** What the engine is doing about rewrites of parts. */
export interface Rewrites {
  /** Whether parts of one of the tables are being rewritten, for whatever reason. */
  readonly isRunning: boolean;
  /** Whether the engine has failed to rewrite one, and tries again. */
  readonly isFailing: boolean;
  /** Time of the newest statement because of deletions, Unix milliseconds; 0 without one. */
  readonly startedAt: number;
}

/** A statement that rewrites parts. */
export interface Rewrite {
  readonly sql: string;
  /** Rows that it removes. */
  readonly rows: number;
  /** Bytes on disk of the parts. */
  readonly bytes: number;
}

/**
 * The statement that removes the rows of deleted events from parts of one partition of a table. The engine rewrites each of these parts
 * in the background, and continues after a restart; the other parts stay as they are.
 */
export function rewriteOf(
  parts: readonly [DeletedPart, ...DeletedPart[]],
  topology: Topology,
  bounds: SliceBounds,
): Rewrite {
  const [{ table, partition }] = parts;
  const name = `${topology.database}.${table.table}`;
  // An event is on one shard with its payload; its changes may be on another.
  const events = `${topology.database}.events`;
  const { changes } = tableNames(topology);
  const slices = largestSlices(parts, bounds);
  const within = ` AND _partition_id = ${literal(partition)}${withinOne(slices)}`;
  const where = `${isUnseen(table, { from: name, events, changes }, within)}${withinOne(slices)}`;
  return rewrite(parts, { name, slices, where }, topology);
}

/** The statement that removes the rows of a condition from parts of one partition of a table. */
export function rewrite(
  parts: readonly [SlicedPart, ...SlicedPart[]],
  {
    name,
    slices,
    where,
  }: { readonly name: string; readonly slices: readonly Slice[]; readonly where: string },
  topology: Topology,
): Rewrite {
  const [{ partition }] = parts;
  const names = parts.map((part) => literal(part.name)).join(', ');
  // Replicas evaluate the sub-queries on their own; a part that becomes different on one of them is fetched from another.
  const settings = topology.cluster === undefined ? '' : ' SETTINGS allow_nondeterministic_mutations = 1';
  const inSlices = parts.flatMap((part) => part.slices).filter(({ slice }) => slices.includes(slice));
  return {
    sql:
      `ALTER TABLE ${name}${onCluster(topology)} DELETE IN PARTITION ID ${literal(partition)} ` +
      `WHERE ${OF_PARTS} (${names}) AND ${withDistinctSets(where)}${settings}`,
    rows: inSlices.reduce((sum, { rows }) => sum + rows, 0),
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/**
 * Makes each sub-query different from the others. A mutation builds equal ones once, and the others wait for it, in the same thread: when one
 * is within another, the mutation waits for itself, for ever.
 */
export function withDistinctSets(condition: string): string {
  let queries = 0;
  // No part has such a name.
  return condition.replaceAll(' WHERE ', () => ` WHERE _part != '${++queries}' AND `);
}

/** Names of a statement; those of parts have about 20 characters, and a coordination service bounds the length of the whole. */
export const MAX_PARTS = 1_000;

/** The first part, and others of its partition that fit beside it, of one table. */
export function partsBeside<Part extends SlicedPart>(
  first: Part,
  parts: readonly Part[],
  maxBytes: number,
): [Part, ...Part[]] {
  let free = maxBytes - first.bytes;
  const chosen: [Part, ...Part[]] = [first];
  for (const part of parts) {
    const fits = part.bytes <= free && chosen.length < MAX_PARTS;
    if (part === first || part.partition !== first.partition || !fits) continue;
    free -= part.bytes;
    chosen.push(part);
  }
  return chosen;
}

/** Reads what the engine is doing, on all replicas. */
export async function readRewrites(engine: QueryRunner, { database, cluster }: Topology): Promise<Rewrites> {
  const mutations =
    cluster === undefined ? 'system.mutations' : `clusterAllReplicas('${cluster}', system.mutations)`;
  const [found] = await engine.query<{ running: number; failing: number; started: number }>({
    sql:
      `SELECT toFloat64(countIf(is_done = 0)) AS running, toFloat64(countIf(is_done = 0 AND latest_fail_reason != '')) AS failing, ` +
      `toFloat64(maxIf(toUnixTimestamp(create_time), position(command, ${literal(OF_PARTS)}) > 0)) * 1000 AS started ` +
      `FROM ${mutations} WHERE database = ${literal(database)} ` +
      `AND table IN (${ALL_TABLES.map(literal).join(', ')})`,
    bindings: {},
  });
  const { running = 0, failing = 0, started = 0 } = found ?? {};
  return { isRunning: running > 0, isFailing: failing > 0, startedAt: started };
}
