import type { LogPosition } from '@assay/event-log';

/** Offsets of one epoch are below this number; 2^44 leaves room for 512 epochs below 2^53. */
const OFFSETS_PER_EPOCH = 2 ** 44;

/** The highest epoch whose versions are below 2^53. */
export const MAX_EPOCH = 511;

/** Higher than every version derived from an offset: no record of any partition can outrank it. */
export const MAX_VERSION = Number.MAX_SAFE_INTEGER;

/** Where an epoch of the log begins: the offset of its first record, by partition. */
export interface EpochStart {
  readonly epoch: number;
  readonly first: LogPosition;
}

/** A record, by its position in the log. */
export interface RecordPosition {
  readonly partition: number;
  readonly offset: number;
}

/** Returns the version that an epoch gives to a record at this offset. */
export function versionIn(epoch: number, offset: number): number {
  return epoch * OFFSETS_PER_EPOCH + offset;
}

/** Gives the records of one log their versions: position in the log, by epoch. */
export class LogVersions {
  /** @param starts epochs of this log, the newest first; records before all of them have the last one */
  constructor(private readonly starts: readonly EpochStart[]) {}

  epochOf({ partition, offset }: RecordPosition): number {
    for (const { epoch, first } of this.starts) if (offset >= (first.get(partition) ?? 0)) return epoch;
    return this.starts.at(-1)?.epoch ?? 0;
  }

  /** Returns the version that a record gives to what it changes. */
  versionOf(record: RecordPosition): number {
    return versionIn(this.epochOf(record), record.offset);
  }
}
