import type { MergedPartition, MergeLimits } from '../event-store.js';
import { Binder } from '../sql/engine/binder.js';
import type { ChdbEngine } from './chdb-engine.js';

/** The tables that reads open part by part. */
const TABLES = ['events', 'event_payloads', 'event_ids', 'event_changes', 'evaluations'];
/** How much a part of the narrow table counts: nearly every query opens it, and a merge of it is short, so that the next one follows soon. */
const NARROW_WEIGHT = 2;
/** Bytes of a partition relative to its largest part from which it is merged: a byte is rewritten at most eleven times as often as it is written. */
const MIN_GROWTH = 1.1;
/** Free disk space relative to the bytes of the partition: the engine needs once as much, the rest stays for others. */
const FREE_SPACE = 4;

interface PartitionRow extends MergedPartition {
  readonly partition: string;
}

/**
 * Merges the parts of one partition of the tables of a database into one: of the partition with the most parts, of which those of the narrow table count twice, among those that
 * have grown by a tenth since, are within the limits and leave enough free disk space. Changes nothing that a reader sees.
 * @returns undefined when there is no such partition, or when the merge was cancelled
 */
export async function mergeParts(
  engine: ChdbEngine,
  database: string,
  { maxBytes, maxNarrowBytes, signal }: MergeLimits & { readonly maxNarrowBytes: number },
): Promise<MergedPartition | undefined> {
  const binder = new Binder();
  const bytes = 'toFloat64(sum(bytes_on_disk))';
  const [found] = await engine.query<PartitionRow>({
    sql:
      `SELECT table, partition_id AS partition, toUInt32(count()) AS parts, ${bytes} AS bytes FROM system.parts ` +
      `WHERE active AND database = ${binder.text(database)} AND table IN ${binder.bind(TABLES, 'Array(String)')} ` +
      'GROUP BY table, partition HAVING parts > 1 ' +
      `AND bytes >= max(bytes_on_disk) * ${MIN_GROWTH} AND bytes <= if(table = 'events', ${maxNarrowBytes}, ${maxBytes}) ` +
      `AND bytes * ${FREE_SPACE} <= (SELECT toFloat64(min(unreserved_space)) FROM system.disks) ` +
      `ORDER BY parts * if(table = 'events', ${NARROW_WEIGHT}, 1) DESC, table, partition LIMIT 1`,
    bindings: binder.bindings,
  });
  if (found === undefined) return undefined;
  const { partition, ...merged } = found;
  const isMerged = await engine.mergePartition(`${database}.${found.table}`, partition, signal);
  return isMerged ? merged : undefined;
}
