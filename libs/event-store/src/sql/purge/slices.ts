import type { QueryRunner } from '../engine/engine.js';
import { tableNames, type Topology } from '../schema/topology.js';
import type { PurgedTable } from './purged-tables.js';

/** A part of the keys of a table, so that what a statement keeps in memory does not grow with the deletes that are stored. */
export interface Slice {
  /** Condition that holds for all rows of a key or for none, in the table and in that of narrow rows; begins with `AND`, or empty. */
  readonly within: string;
  /** Rows that delete others, about. */
  readonly deletions: number;
}

/** Rows that delete others. */
export interface SliceBounds {
  /** In one slice: a look that compares them takes about 300 MiB. */
  readonly perSlice: number;
  /** In the slices of one rewrite, which has their keys in memory several times: a million takes up to 500 MiB. */
  readonly perRewrite: number;
}

export const SLICE_BOUNDS: SliceBounds = { perSlice: 500_000, perRewrite: 2_000_000 };

/** A part of which rows are to be removed. On several shards: the parts of this name. */
export interface SlicedPart {
  readonly name: string;
  readonly partition: string;
  /** Rows that can be removed. */
  readonly rows: number;
  /** Bytes of the part on disk. */
  readonly bytes: number;
  /** The slices that these rows are in. */
  readonly slices: readonly { readonly slice: Slice; readonly rows: number }[];
}

/** A slice with everything. */
const WHOLE: Slice = { within: '', deletions: 0 };

/**
 * Cuts a table into slices by the number of its deletions: by the hour where the sort key has one, so that a slice is read without the others,
 * else, and within an hour that has more, by a hash of the event: one session can have any number of events.
 * @param of further condition on the rows that delete others; begins with `AND`
 */
export async function readSlices(
  engine: QueryRunner,
  table: PurgedTable,
  topology: Topology,
  { perSlice, of = '' }: Pick<SliceBounds, 'perSlice'> & { readonly of?: string },
): Promise<Slice[]> {
  const from = tableNames(topology)[table.readFrom];
  const where = `WHERE ${table.deletes}${of}`;
  if (!table.hasHour) {
    const [found] = await engine.query<{ readonly deletions: number }>({
      sql: `SELECT toFloat64(count()) AS deletions FROM ${from} ${where}`,
      bindings: {},
    });
    return byHash({ within: '', deletions: found?.deletions ?? 0 }, perSlice);
  }
  const hours = await engine.query<Hour>({
    sql: `SELECT toUnixTimestamp(start_hour) AS hour, toFloat64(count()) AS deletions FROM ${from} ${where} GROUP BY hour ORDER BY hour`,
    bindings: {},
  });
  // Payloads without a row need no deletion in their table.
  return hours.length === 0 ? [WHOLE] : byHour(hours, perSlice);
}

interface Hour {
  /** Unix seconds. */
  readonly hour: number;
  readonly deletions: number;
}

/** Slices of neighbouring hours; the first and the last one have all hours before and after. */
function byHour(hours: readonly Hour[], perSlice: number): Slice[] {
  const groups = groupsOf(hours, perSlice);
  return groups.flatMap((group, index) => {
    const from = index === 0 ? '' : ` AND start_hour >= ${hourOf(group)}`;
    const next = groups[index + 1];
    const to = next === undefined ? '' : ` AND start_hour < ${hourOf(next)}`;
    const deletions = group.reduce((total, hour) => total + hour.deletions, 0);
    return byHash({ within: from + to, deletions }, perSlice);
  });
}

function hourOf([first]: readonly Hour[]): string {
  return `toDateTime(${first?.hour ?? 0}, 'UTC')`;
}

function byHash({ within, deletions }: Slice, perSlice: number): Slice[] {
  const slices = Math.ceil(deletions / perSlice);
  if (slices <= 1) return slices === 0 ? [] : [{ within, deletions }];
  return Array.from({ length: slices }, (_, slice) => ({
    within: `${within} AND ${OF_EVENT} % ${slices} = ${slice}`,
    deletions: deletions / slices,
  }));
}

const OF_EVENT = 'cityHash64(event_id)';

/** The condition of a slice for whole sessions: it holds for all events of those whose id, as that of an event, is in the slice. */
export function ofSessions(within: string): string {
  return within.replaceAll(OF_EVENT, 'cityHash64(session_id)');
}

/** The condition that holds for the rows of one of the slices; begins with `AND`, or empty. */
export function withinOne(slices: readonly Slice[]): string {
  if (slices.some(({ within }) => within === '')) return '';
  return ` AND (${slices.map(({ within }) => `(${within.slice(' AND '.length)})`).join(' OR ')})`;
}

/** Of the slices of some parts those with the most rows to remove, as many as one rewrite may compare; at least one. */
export function largestSlices(parts: readonly SlicedPart[], { perRewrite }: SliceBounds): Slice[] {
  const rows = new Map<Slice, number>();
  for (const { slices } of parts)
    for (const found of slices) rows.set(found.slice, (rows.get(found.slice) ?? 0) + found.rows);
  const chosen: Slice[] = [];
  let deletions = 0;
  for (const [slice] of [...rows].sort(([, one], [, other]) => other - one)) {
    if (chosen.length > 0 && deletions + slice.deletions > perRewrite) continue;
    deletions += slice.deletions;
    chosen.push(slice);
  }
  return chosen;
}

/** Neighbours together, with so many deletions at most; one that has more is alone. */
export function groupsOf<Item extends { readonly deletions: number }>(
  items: readonly Item[],
  maxDeletions: number,
): Item[][] {
  const groups: Item[][] = [];
  let sum = Infinity;
  for (const item of items) {
    if (sum + item.deletions > maxDeletions) {
      groups.push([]);
      sum = 0;
    }
    groups.at(-1)?.push(item);
    sum += item.deletions;
  }
  return groups;
}
