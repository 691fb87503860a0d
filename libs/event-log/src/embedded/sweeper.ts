import type { Logger } from '@assay/runtime';
import type { Positions } from './positions.js';
import { findExpired, type Retention } from './retention.js';
import type { SegmentedLog } from './segments/segmented-log.js';

/** Records newer than this are from the future: the clock was set back. */
const FUTURE_MS = 60_000;

/** The consumer group that keeps the log from removing segments that are over a limit. */
export interface RetentionHolder {
  readonly group: string;
  /** Offset that the group reads next. */
  readonly offset: number;
  /** Records that the group has not read. */
  readonly lag: number;
}

export interface SweeperOptions {
  readonly log: SegmentedLog;
  readonly positions: Positions;
  readonly retention: Retention;
  /** Groups that retention waits for; every group that ever read when undefined. */
  readonly activeGroups: readonly string[] | undefined;
  readonly now: () => number;
  readonly logger: Logger;
  /** Runs work while nothing is appended. */
  readonly exclusive: (work: () => Promise<void>) => Promise<void>;
}

/** Removes segments beyond a limit, and reports which group retains others. */
export class Sweeper {
  private running: Promise<void> | undefined;
  private stopped = false;
  private held = 0;
  private warnedAbout: string | undefined;

  constructor(private readonly options: SweeperOptions) {}

  /** Runs a sweep, unless segments are held. Failures are logged; the next sweep tries again. */
  sweep(): Promise<void> {
    if (this.held > 0) return Promise.resolve();
    this.running ??= this.run().finally(() => (this.running = undefined));
    return this.running;
  }

  /** Resolves when no sweep is under way; none starts until the returned function was called. */
  async hold(): Promise<() => void> {
    this.held += 1;
    await this.running;
    let isHeld = true;
    return () => {
      if (isHeld) this.held -= 1;
      isHeld = false;
    };
  }

  /** Resolves when no sweep is under way; none starts afterwards. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  /** The group that retention waits for; undefined when it waits for none. */
  holder(): RetentionHolder | undefined {
    const slowest = this.slowestGroup();
    return this.expiry().isHeld ? slowest : undefined;
  }

  private async run(): Promise<void> {
    try {
      await this.rollExpired();
      while (!this.stopped && this.expiry().remove > 0) await this.removeOne();
    } catch (error) {
      this.options.logger.warn('expired event log segments could not be removed', {}, error);
    }
    this.warnOfHolder();
  }

  /** Rolls the last segment of an idle log, so that it can expire too. */
  private async rollExpired(): Promise<void> {
    const { log, retention, now, exclusive } = this.options;
    const last = log.kept.at(-1);
    if (last === undefined || last.isEmpty) return;
    const isExpired = last.lastAppendedAt < now() - retention.maxAgeMs && last.end <= this.readByAll();
    const isFromFuture = last.lastAppendedAt > now() + FUTURE_MS;
    if (isExpired || isFromFuture) await exclusive(() => log.roll(now()));
  }

  private async removeOne(): Promise<void> {
    const { log, logger } = this.options;
    const [oldest] = log.kept;
    const slowest = this.slowestGroup();
    if (this.expiry().unread > 0 && slowest !== undefined)
      logger.warn('event log over its size limit, unread records removed', {
        group: slowest.group,
        fromOffset: Math.max(slowest.offset, log.first),
        beforeOffset: oldest?.end,
      });
    await log.removeOldest();
  }

  private expiry() {
    const { log, retention, now } = this.options;
    return findExpired(log.kept, { retention, now: now(), readByAll: this.readByAll() });
  }

  private warnOfHolder(): void {
    const holder = this.holder();
    if (holder !== undefined && holder.group !== this.warnedAbout)
      this.options.logger.warn('event log retention waits for a consumer group', { ...holder });
    this.warnedAbout = holder?.group;
  }

  private readByAll(): number {
    return this.slowestGroup()?.offset ?? Number.POSITIVE_INFINITY;
  }

  private slowestGroup(): RetentionHolder | undefined {
    const { positions, activeGroups, log } = this.options;
    let slowest: RetentionHolder | undefined;
    for (const [group, offset] of positions.groups) {
      if (activeGroups !== undefined && !activeGroups.includes(group)) continue;
      if (slowest === undefined || offset < slowest.offset)
        slowest = { group, offset, lag: log.end - offset };
    }
    return slowest;
  }
}
