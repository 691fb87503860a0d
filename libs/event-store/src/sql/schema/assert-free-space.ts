import { StartError } from '@assay/runtime';
import { literal, type SqlEngine } from '../engine/engine.js';
import type { Topology } from './topology.js';

/** Tables that are about to be copied, and the names that begin copies of an earlier attempt. */
export interface PlannedCopies {
  readonly tables: readonly string[];
  readonly copies: readonly string[];
}

/** Space for merges of the copy, relative to its size. */
const MARGIN = 1.1;
const MEBIBYTE = 1024 * 1024;

interface PartBytes {
  readonly host: string;
  readonly disk: string;
  readonly old: number;
  readonly copied: number;
}

interface FreeBytes {
  readonly host: string;
  readonly disk: string;
  readonly free: number;
}

/**
 * Asserts that every server has the free disk space that copies of its tables need. What an earlier attempt has
 * copied counts.
 * @throws StartError otherwise
 */
export async function assertFreeSpace(
  engine: SqlEngine,
  topology: Topology,
  { tables, copies }: PlannedCopies,
): Promise<void> {
  if (tables.length === 0) return;
  const names = (list: readonly string[]) => list.map(literal).join(', ');
  const parts = await engine.query<PartBytes>({
    sql:
      `SELECT hostName() AS host, disk_name AS disk, sumIf(bytes_on_disk, table IN (${names(tables)})) AS old, ` +
      `sumIf(bytes_on_disk, table IN (${names(copies)})) AS copied FROM ${systemTable(topology, 'parts')} ` +
      `WHERE active AND database = ${literal(topology.database)} GROUP BY host, disk`,
    bindings: {},
  });
  const disks = await engine.query<FreeBytes>({
    sql: `SELECT hostName() AS host, name AS disk, toFloat64(unreserved_space) AS free FROM ${systemTable(topology, 'disks')}`,
    bindings: {},
  });
  for (const host of new Set(parts.map((part) => part.host))) {
    const own = parts.filter((part) => part.host === host);
    const missing = own.reduce((sum, { old, copied }) => sum + old - copied, 0) * MARGIN;
    const used = new Set(own.map(({ disk }) => disk));
    const free = disks.reduce(
      (sum, one) => (one.host === host && used.has(one.disk) ? sum + one.free : sum),
      0,
    );
    if (missing > free) throw notEnough(missing, free);
  }
}

function notEnough(missing: number, free: number): StartError {
  return new StartError(
    `the conversion of the event store needs ${Math.ceil(missing / MEBIBYTE)} MiB of free disk space and ` +
      `${Math.floor(free / MEBIBYTE)} MiB are free, free more and start again`,
  );
}

/** A system table of the server, or of all servers of the cluster. */
function systemTable({ cluster }: Topology, name: string): string {
  return cluster === undefined ? `system.${name}` : `clusterAllReplicas('${cluster}', system, ${name})`;
}
