import { tableNames } from '../sql/schema/topology.js';
import { Binder } from '../sql/engine/binder.js';
import type { QueryRunner } from '../sql/engine/engine.js';
import { visible } from '../sql/read/rows/visible.js';

const SECOND_MS = 1_000;
/** Bytes that an event takes beside its payload, before compression. */
const NARROW_BYTES = 500;
const WEIGHT = `toFloat64(sum(payload_bytes + ${NARROW_BYTES})) AS weight`;

/** Returns the bytes on disk of what the store has, without parts that were replaced. */
export async function readStoredBytes(engine: QueryRunner, database: string): Promise<number> {
  const binder = new Binder();
  const [found] = await engine.query<{ readonly bytes: number }>({
    sql: `SELECT toFloat64(sum(bytes_on_disk)) AS bytes FROM system.parts WHERE active AND database = ${binder.text(database)}`,
    bindings: binder.bindings,
  });
  return found?.bytes ?? 0;
}

/** Bytes on disk of a tombstone in one table, measured. */
const TOMBSTONE_BYTES = 45;
/** Bytes on disk of a row of the table of ids, which stays, too. */
const KEY_BYTES = 36;

/** Returns about how many bytes on disk the tombstones take, of all deleted events. */
export async function readTombstoneBytes(engine: QueryRunner, database: string): Promise<number> {
  const { events, payloads } = tableNames({ database });
  const count = (table: string) => `(SELECT count() FROM ${table} WHERE is_deleted = 1)`;
  const [found] = await engine.query<{ readonly narrow: number; readonly payloads: number }>({
    sql: `SELECT toFloat64(${count(events)}) AS narrow, toFloat64(${count(payloads)}) AS payloads`,
    bindings: {},
  });
  const { narrow = 0, payloads: wide = 0 } = found ?? {};
  return (narrow + wide) * TOMBSTONE_BYTES + narrow * KEY_BYTES;
}

/**
 * Returns the time, Unix milliseconds, before which the oldest events start that have this share of the bytes of all projects, estimated,
 * to the second and at least one event. Undefined without events.
 */
export async function readEndOfOldest(
  engine: QueryRunner,
  database: string,
  share: number,
): Promise<number | undefined> {
  const { events } = tableNames({ database });
  const hours = await engine.query<Weighted>({
    sql: `SELECT toUnixTimestamp(start_hour) AS at, ${WEIGHT} FROM ${visible(events)} GROUP BY at ORDER BY at`,
    bindings: {},
  });
  const wanted = share * hours.reduce((sum, { weight }) => sum + weight, 0);
  const hour = reach(hours, wanted);
  if (hour === undefined) return undefined;
  const binder = new Binder();
  const seconds = await engine.query<Weighted>({
    sql:
      `SELECT floor(start_time / ${SECOND_MS}) AS at, ${WEIGHT} FROM ${visible(events)} ` +
      `WHERE start_hour = toDateTime(${binder.bind(String(hour.at), 'UInt64')}, 'UTC') GROUP BY at ORDER BY at`,
    bindings: binder.bindings,
  });
  const last = reach(seconds, wanted - hour.before);
  return last && (last.at + 1) * SECOND_MS;
}

/** The events of a period that starts at this time. */
interface Weighted {
  readonly at: number;
  readonly weight: number;
}

/** Returns the period in which the sum of the weights reaches this one, with the sum before it; the last one when none does. */
function reach(periods: readonly Weighted[], wanted: number) {
  let before = 0;
  for (const { at, weight } of periods) {
    if (before + weight >= wanted) return { at, before };
    before += weight;
  }
  const last = periods.at(-1);
  return last && { at: last.at, before: before - last.weight };
}
