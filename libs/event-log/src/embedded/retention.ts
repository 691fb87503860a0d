import { readHead } from './block.js';
import { numberOf, type Tables } from './tables.js';

/** What the embedded log keeps. Whatever a group has not committed is kept beyond both limits. */
export interface Retention {
  /** Milliseconds that a record is kept; 72 h by default. */
  readonly maxAgeMs: number;
  /** Bytes of records that are kept; 10 GiB by default. */
  readonly maxBytes: number;
  /** When records that nobody has read yet reach this many bytes, appends are refused; no limit by default. */
  readonly hardCapBytes: number;
}

export const DEFAULT_RETENTION: Retention = {
  maxAgeMs: 72 * 60 * 60 * 1000,
  maxBytes: 10 * 1024 ** 3,
  hardCapBytes: Number.POSITIVE_INFINITY,
};

/** Blocks that one transaction removes at most, so that appends never wait long for it. */
const BLOCKS_PER_SWEEP = 32;

/** What is known about the log when old blocks are looked for. */
export interface SweepInput {
  readonly retention: Retention;
  /** Unix milliseconds. */
  readonly now: number;
  /** Bytes of all blocks ever written. */
  readonly bytesWritten: number;
  /** Offset up to which every group has committed. */
  readonly readByAll: number;
  /** The log's end. The last block stays, because the end is known from it. */
  readonly end: number;
}

/** Blocks that may go, with what is then the first offset kept and the bytes before it. */
export interface Sweep {
  readonly keys: readonly Buffer[];
  readonly first: number;
  readonly bytesBefore: number;
}

/** Oldest blocks that are over a limit and read by all groups; undefined when there are none. */
export function findExpired(
  tables: Tables,
  { retention, now, bytesWritten, readByAll, end }: SweepInput,
): Sweep | undefined {
  const keys: Buffer[] = [];
  for (const { key, value } of tables.blocks.getRange({ limit: BLOCKS_PER_SWEEP + 1 })) {
    const head = readHead(value);
    const first = numberOf(key);
    const stays = first + head.count > readByAll || first + head.count >= end;
    const expired =
      head.appendedAt < now - retention.maxAgeMs || bytesWritten - head.bytesBefore > retention.maxBytes;
    if (stays || !expired || keys.length === BLOCKS_PER_SWEEP) {
      return keys.length === 0 ? undefined : { keys, first, bytesBefore: head.bytesBefore };
    }
    keys.push(Buffer.from(key));
  }
  return undefined;
}
