import type { LogPosition } from '@assay/event-log';
import type { LogEpoch, PartitionPosition } from '@assay/event-store';
import { MAX_EPOCH } from '../shared/log-versions.js';

/** The event log as it is now. */
export interface ObservedLog {
  readonly identity: string;
  readonly end: LogPosition;
}

export interface EpochRules {
  /** Epoch that the operator has set; undefined: the recorded one, or the next where that is safe. */
  readonly pinned?: number;
  /** Whether only this process appends to the log, and nothing has been appended since it was opened. */
  readonly isExclusive: boolean;
  /** The last known epoch, for an empty store. */
  readonly kept?: Pick<LogEpoch, 'epoch' | 'log'>;
}

/** What to do about the epoch of the log. */
export type EpochDecision =
  /** The recorded epoch is that of the log. */
  | { readonly kind: 'keep'; readonly entry: LogEpoch }
  /** A new epoch is to be recorded before the first write. The cause is absent in an empty store. */
  | { readonly kind: 'raise'; readonly entry: LogEpoch; readonly cause?: string }
  /** No epoch is safe. The message names the cause and what to do; `mayPass` when it can be a failover. */
  | { readonly kind: 'refuse'; readonly message: string; readonly mayPass?: boolean };

/**
 * Compares the log with what the store has recorded, lowest epoch first, and decides on the epoch of versions. All
 * processes on one store and one log come to the same result.
 */
export function decideEpoch(
  recorded: readonly LogEpoch[],
  observed: ObservedLog,
  rules: EpochRules,
): EpochDecision {
  const { pinned } = rules;
  const last = recorded.at(-1);
  if (last === undefined) return { kind: 'raise', entry: newEntry(firstEpoch(observed, rules), observed) };
  const highest = last.epoch;
  if ((pinned ?? highest) < highest)
    return refuse(
      `KAFKA_EPOCH is lower than ${highest}, the epoch that the event store has recorded; remove the setting`,
    );
  const isShared = recorded.filter(({ epoch }) => epoch === highest).length > 1;
  const difference = isShared ? SHARED_EPOCH : differenceOf(last, observed, rules);
  const raise = (epoch: number, cause: string): EpochDecision => {
    if (epoch > MAX_EPOCH) return refuse(`the event store has used all of its ${MAX_EPOCH + 1} epochs`);
    return { kind: 'raise', cause, entry: newEntry(epoch, observed, knownEntry(recorded, observed, rules)) };
  };
  if (pinned !== undefined && pinned > highest)
    return raise(pinned, difference?.cause ?? 'KAFKA_EPOCH was raised');
  if (difference === undefined) return { kind: 'keep', entry: last };
  return refusalOf(difference, highest + 1, rules) ?? raise(highest + 1, difference.cause);
}

/** A log that is not the last known one must not have versions as low as that had. */
function firstEpoch({ identity }: ObservedLog, { pinned = 0, kept }: EpochRules): number {
  if (kept === undefined) return pinned;
  return Math.max(pinned, kept.log === identity ? kept.epoch : Math.min(kept.epoch + 1, MAX_EPOCH));
}

/** How a log differs from the recorded one. With advice, only an operator can decide to continue. */
interface Difference {
  readonly cause: string;
  /** What to do, followed by the next epoch. */
  readonly advice?: string;
  readonly mayPass?: boolean;
}

/** Two processes that saw different logs recorded the same epoch concurrently; each takes another one. */
const SHARED_EPOCH: Difference = { cause: 'two event logs have the same epoch' };

function differenceOf(
  entry: LogEpoch,
  observed: ObservedLog,
  { isExclusive }: EpochRules,
): Difference | undefined {
  if (locationOf(entry.log) !== locationOf(observed.identity))
    return {
      cause: 'the event store belongs to another event log than the configured one',
      advice: 'correct the settings, or to continue with this log set KAFKA_EPOCH to',
    };
  if (entry.log !== observed.identity) return { cause: 'the event log was recreated' };
  if (isTruncated(entry, observed)) {
    const cause = 'the event log ends before the position up to which it was stored';
    return isExclusive
      ? { cause }
      : { cause, advice: 'to apply all records of the log again set KAFKA_EPOCH to', mayPass: true };
  }
  return repartitioning(entry.partitions.size, observed.end.size);
}

/**
 * If the new number of partitions is a multiple, a key is in the same partition as before or in a new one.
 * Otherwise it can be in another old one, where its versions could be lower than before.
 */
function repartitioning(before: number, now: number): Difference | undefined {
  if (now === before) return undefined;
  const cause = `the number of partitions of the event log was changed from ${before} to ${now}`;
  return now > before && now % before === 0
    ? { cause }
    : { cause, advice: 'stop ingestion until the data plane has started, and set KAFKA_EPOCH to' };
}

function refusalOf(
  { cause, advice, mayPass }: Difference,
  next: number,
  { pinned }: EpochRules,
): EpochDecision | undefined {
  if (advice !== undefined) return { kind: 'refuse', message: `${cause}; ${advice} ${next}`, mayPass };
  return pinned === undefined ? undefined : refuse(`${cause}; remove KAFKA_EPOCH or set it to ${next}`);
}

/** Returns the newest epoch of the log whose positions are still true. */
function knownEntry(
  recorded: readonly LogEpoch[],
  observed: ObservedLog,
  { isExclusive }: EpochRules,
): LogEpoch | undefined {
  const known = recorded.filter(({ log }) => log === observed.identity).at(-1);
  if (known === undefined || recorded.filter(({ epoch }) => epoch === known.epoch).length > 1)
    return undefined;
  return isExclusive || !isTruncated(known, observed) ? known : undefined;
}

function isTruncated({ partitions }: LogEpoch, { end }: ObservedLog): boolean {
  return [...partitions].some(([partition, { position }]) => position > (end.get(partition) ?? 0));
}

/**
 * All records of a log that the store does not know belong to the new epoch. Of a known log, only records that
 * are appended from now on do; the others keep the versions that they have had.
 */
function newEntry(epoch: number, { identity, end }: ObservedLog, known?: LogEpoch): LogEpoch {
  const partitions = new Map<number, PartitionPosition>();
  for (const [partition, offset] of end) {
    const before = known?.partitions.get(partition);
    const entry = before
      ? { first: offset, position: Math.min(before.position, offset) }
      : { first: 0, position: 0 };
    partitions.set(partition, entry);
  }
  return { epoch, log: identity, partitions };
}

function locationOf(identity: string): string {
  return identity.slice(0, identity.lastIndexOf('/') + 1);
}

function refuse(message: string): EpochDecision {
  return { kind: 'refuse', message };
}
