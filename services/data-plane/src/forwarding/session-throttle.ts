import type { EventKey } from '@assay/event-store';
import { LRUCache } from 'lru-cache';
import { eventKey } from '@assay/log-readers';

/** Limits of how often large sessions are summarised. */
export interface ThrottleLimits {
  /** Rows from which a session counts as large. */
  readonly minRows: number;
  /** Milliseconds between two summaries of a session with this many rows. */
  readonly intervalMs: (rows: number) => number;
  /** A session is deferred at most while the log of its partition advances by this many records. */
  readonly maxRecords: number;
}

/** Reading 100,000 rows takes about 0.1 s of CPU, so that a session occupies a few percent of a core. */
export const THROTTLE_LIMITS: ThrottleLimits = {
  minRows: 5_000,
  intervalMs: (rows) => Math.min(30_000, Math.max(1_000, rows / 50)),
  maxRecords: 100_000,
};

/** Further large sessions are summarised with every batch. */
const MAX_DEFERRED = 1_000;
const MAX_DEFERRED_PER_PROJECT = 100;
/** LRU capacity: a session that was evicted is summarised with its next batch. */
const MAX_LARGE_SESSIONS = 10_000;

/** Part of the log that a batch is: records of one partition. */
export interface BatchRange {
  readonly partition: number;
  /** Offsets of the first record and behind the last one. */
  readonly start: number;
  readonly end: number;
}

/** A session whose summary is deferred. */
export interface DeferredSession {
  readonly session: EventKey;
  /** Unix milliseconds. */
  readonly dueAt: number;
  /** Oldest record that it was deferred for, by partition. */
  readonly offsets: ReadonlyMap<number, number>;
}

/** Decides when sessions are summarised: large ones at intervals, all others immediately. Holds no content. */
export class SessionThrottle {
  private readonly nextAt = new LRUCache<string, number>({ max: MAX_LARGE_SESSIONS });
  private readonly deferred = new Map<string, DeferredSession>();
  private readonly deferredByProject = new Map<string, number>();

  constructor(private readonly limits: ThrottleLimits) {}

  /** Returns whether the session is deferred instead of summarised with this batch. */
  defers(session: EventKey, { partition, start }: BatchRange, now: number): boolean {
    // Without large sessions nothing is deferred, and no key has to be made for each session.
    if (this.nextAt.size === 0) return false;
    const key = eventKey(session);
    const dueAt = this.nextAt.get(key) ?? 0;
    const earlier = this.deferred.get(key);
    if (dueAt <= now || (!earlier && this.isFull(session.projectId))) return false;
    if (!earlier) this.count(session.projectId, 1);
    // A new object, because a summary that is being read may not contain this batch.
    const offsets = new Map([[partition, start], ...(earlier?.offsets ?? [])]);
    this.deferred.set(key, { session, dueAt, offsets });
    return true;
  }

  /** Returns the deferred sessions that are due at `now`, or that a commit of the range would lose. */
  due(now: number, range?: BatchRange): DeferredSession[] {
    return [...this.deferred.values()].filter(({ dueAt, offsets }) => {
      const oldest = range && offsets.get(range.partition);
      const isLost = range && oldest !== undefined && range.end - oldest > this.limits.maxRecords;
      return dueAt <= now || isLost;
    });
  }

  /** Removes sessions that were summarised since {@link due} returned them, unless they were deferred again. */
  settle(due: readonly DeferredSession[]): void {
    for (const one of due) {
      const key = eventKey(one.session);
      if (this.deferred.get(key) !== one) continue;
      this.deferred.delete(key);
      this.count(one.session.projectId, -1);
    }
  }

  /** Returns all deferred sessions. */
  all(): DeferredSession[] {
    return [...this.deferred.values()];
  }

  /** Remembers which of the summarised sessions are large. */
  summarised(rowsByKey: ReadonlyMap<string, number>, now: number): void {
    for (const [key, rows] of rowsByKey)
      if (rows >= this.limits.minRows) this.nextAt.set(key, now + this.limits.intervalMs(rows));
  }

  private isFull(projectId: string): boolean {
    const ofProject = this.deferredByProject.get(projectId) ?? 0;
    return this.deferred.size >= MAX_DEFERRED || ofProject >= MAX_DEFERRED_PER_PROJECT;
  }

  private count(projectId: string, change: 1 | -1): void {
    const count = (this.deferredByProject.get(projectId) ?? 0) + change;
    if (count > 0) this.deferredByProject.set(projectId, count);
    else this.deferredByProject.delete(projectId);
  }
}
