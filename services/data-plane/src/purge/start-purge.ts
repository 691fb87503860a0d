import type { AdministrationPort } from '@assay/event-store';
import type { Logger, Metrics } from '@assay/runtime';
import { pause, runRounds, type Rounds } from '../shared/run-rounds.js';
import { makePurgeMetrics, type PurgeMetrics } from './purge-metrics.js';

/** When the values of deleted events leave the disk. */
export interface PurgeRules {
  /** Time after a delete by which its values are gone, in milliseconds. */
  readonly withinMs: number;
  /** Bytes on disk of the parts that are rewritten in an hour. */
  readonly maxBytesPerHour: number;
  /** Time after which tombstones are removed, too, in milliseconds; absent: they stay. */
  readonly tombstoneMs?: number;
  /** Time between two questions whether a step has ended, in milliseconds; for tests. */
  readonly pollMs?: number;
  /** Time until the next step, relative to the time that one took; for tests. */
  readonly rest?: number;
}

export interface PurgeOptions extends PurgeRules {
  readonly store: { readonly administration: AdministrationPort };
  /** Whether this process does it, of several. */
  readonly isOwner: () => boolean;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: Metrics;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Intervals within the time after a delete. In each, parts are rewritten up to a limit. */
const INTERVALS = 24;
/** Age from which deletes are looked at, relative to that time: a part is rewritten twice in it at most, however many deletes follow each other. */
const MIN_AGE = 0.5;
const HOUR_MS = 3_600_000;
const POLL_MS = 1_000;
/** Time until a process that is not the owner looks again whether it is. */
const OWNER_CHECK_MS = 10_000;
/** Time until the next step, relative to the time that one took: looking and rewriting use at most a tenth of the time. */
const REST = 9;
/** Age of a rewrite below which it belongs to the present interval, relative to its length; clocks differ. */
const SAME_INTERVAL = 0.9;
/** Limits with which the store only says whether a step is in progress. */
const NOTHING = { deletedBefore: 0, maxBytes: 0, allowsLargerPart: false };

/**
 * Removes the values of deleted events from the disk, at the start and then in intervals (ADR 089), and old tombstones (ADR 111). Nothing is
 * remembered but what a part above the limit has cost, and when tombstones were looked at: the store itself has what is left to do, and when
 * parts were last rewritten.
 */
export function startPurge(options: PurgeOptions): Rounds {
  const { logger, isOwner, withinMs } = options;
  const metrics = makePurgeMetrics(options.metrics, withinMs);
  const interval = makeInterval(options, metrics);
  const intervalMs = withinMs / INTERVALS;
  return runRounds({
    round: async (signal) => {
      if (isOwner()) await interval(signal);
      else metrics.clear();
    },
    restMs: () => (isOwner() ? intervalMs : Math.min(intervalMs, OWNER_CHECK_MS)),
    onFailure: (error) =>
      logger.warn('values of deleted events were not removed, retrying at the next interval', {}, error),
  });
}

function makeInterval(options: PurgeOptions, metrics: PurgeMetrics) {
  const { store, logger, now, withinMs, maxBytesPerHour, tombstoneMs = Infinity } = options;
  const { pollMs = POLL_MS, rest = REST } = options;
  const intervalMs = withinMs / INTERVALS;
  const bytesPerInterval = (maxBytesPerHour * intervalMs) / HOUR_MS;
  /** Bytes that may be rewritten; below 0 after a part above the limit, which later intervals pay for. */
  let free = 0;
  /** When tombstones are looked at next, which reads more than a look at values: once in the time in which those leave the disk. */
  let forgetsAt = 0;

  /** Waits until the engine has rewritten the parts of a step. Resolves with whether it has. */
  async function waitUntilRewritten(signal: AbortSignal): Promise<boolean> {
    for (let isWarned = false; !signal.aborted; await pause(pollMs, signal)) {
      const { state, isFailing } = await store.administration.purgeDeleted(NOTHING);
      if (state !== 'running') return true;
      if (isFailing && !isWarned)
        logger.warn('the event store fails to rewrite parts with deleted events, it tries again');
      isWarned ||= isFailing ?? false;
    }
    return false;
  }

  async function rewriteParts(signal: AbortSignal): Promise<void> {
    // Tombstones are looked at for one interval at a time, so that values that are due then are not late.
    const endsAt = now() + intervalMs;
    const mayForget = () => tombstoneMs < Infinity && now() >= forgetsAt && now() < endsAt;
    while (free > 0 && !signal.aborted) {
      const deletedBefore = now() - withinMs * MIN_AGE;
      const forgetBefore = mayForget() ? now() - tombstoneMs : undefined;
      const limits = { deletedBefore, maxBytes: free, allowsLargerPart: free === bytesPerInterval };
      const startedAt = performance.now();
      const step = await store.administration.purgeDeleted({ ...limits, forgetBefore });
      if (step.hasForgotten) forgetsAt = now() + withinMs;
      if (step.state === 'idle') return;
      free -= step.bytes;
      metrics.note(step);
      if (!(await waitUntilRewritten(signal)) || step.state === 'running') continue;
      const removed = step.isForgetting ? 'removed tombstones' : 'removed values of deleted events';
      if (step.rows > 0) logger.info(removed, { rows: step.rows, bytes: step.bytes });
      await pause((performance.now() - startedAt) * rest, signal);
    }
  }

  return async function interval(signal: AbortSignal): Promise<void> {
    const left = await store.administration.deletedValues();
    metrics.set(left, now());
    free = Math.min(free, 0) + bytesPerInterval;
    // Another process, or this one before a restart, has used this interval.
    if (now() - (left.rewrittenAt ?? 0) < intervalMs * SAME_INTERVAL) return;
    await rewriteParts(signal);
    metrics.set(await store.administration.deletedValues(), now());
  };
}
