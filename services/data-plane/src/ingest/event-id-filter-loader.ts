import type { StatesPort, WriterPort } from '@assay/event-store';
import type { Logger } from '@assay/runtime';
import type { EventIdFilter } from './event-id-filter.js';
import type { KnownIdsFile } from './known-ids-file.js';

export interface EventIdFilterLoaderDeps {
  readonly store: { readonly states: StatesPort; readonly writer: WriterPort };
  readonly known: EventIdFilter;
  /** Whether no other process writes to the event store. */
  readonly isExclusive: boolean;
  /** Keeps the ids for the next start; absent: all are read at each start. */
  readonly file?: KnownIdsFile | undefined;
  /** How many ids are added, also ones that are there, until the file is written anew: a start after a kill reads about as many. */
  readonly keptEvery: number;
  readonly logger: Logger;
  readonly retryAfterMs: number;
}

/** Seconds by which the clocks of two processes can differ. */
const CLOCK_DIFFERENCE = 600;
/** Seconds before a start in which a process of an earlier release may have stored rows: longer than an upgrade takes. */
const UPGRADE = 3_600;

/**
 * Fills the filter of event ids from the store, in the background. Load again when the reader is assigned
 * other partitions, because another process may have written their events: then those are read that were stored since the load
 * before, once that has ended. Rows of earlier releases get their keys first. Until a load succeeds, the filter reports every id as
 * possibly stored; a failed load is retried. More ids than it has memory for are not read at all.
 */
export class EventIdFilterLoader {
  private state: 'idle' | 'loading' | 'asked again' | 'stopped' = 'idle';
  /** When the last load that succeeded began, Unix seconds. */
  private loadedAt: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** What the file has. */
  private kept = { at: 0, additions: 0 };
  private keeping: Promise<void> | undefined;
  private last: Promise<void> | undefined;

  constructor(private readonly deps: EventIdFilterLoaderDeps) {}

  /** Takes what a process before has kept. Call it before anything is stored. */
  async restore(): Promise<void> {
    const { file, known } = this.deps;
    const found = await file?.read(known.maxBytes, Date.now() / 1_000);
    if (found === undefined) return;
    known.restore(found.generations);
    this.loadedAt = found.at;
    this.kept = { at: found.at, additions: known.additions() };
  }

  /** Resolves when the filter is complete, a load has failed, or one is under way that another follows. */
  async load(): Promise<void> {
    const { known, logger, retryAfterMs } = this.deps;
    if (this.is('stopped')) return;
    known.markIncomplete();
    if (!this.is('idle')) {
      this.state = 'asked again';
      return;
    }
    clearTimeout(this.timer);
    try {
      let isWhole: boolean;
      do {
        this.state = 'loading';
        isWhole = await this.loadOnce();
      } while (this.is('asked again'));
      if (!this.is('stopped')) this.loaded(isWhole);
    } catch (error) {
      if (this.is('stopped')) return;
      logger.warn(
        'loading the event id filter failed, looking up every create until it is retried',
        {},
        error,
      );
      this.timer = setTimeout(() => void this.load(), retryAfterMs).unref();
    }
    if (!this.is('stopped')) this.state = 'idle';
  }

  /** Ends loading. */
  stop(): void {
    this.state = 'stopped';
    clearTimeout(this.timer);
  }

  /**
   * Keeps the ids in the background when many were added since, new or not, or when the clock was set back: rows are found by the time of their storing. Call
   * it when the ids of all that was stored are added.
   */
  stored(): void {
    const { file, known, keptEvery } = this.deps;
    if (file === undefined || this.keeping !== undefined || !known.isComplete()) return;
    const isSetBack = Date.now() / 1_000 < this.kept.at;
    if (!isSetBack && known.additions() - this.kept.additions < keptEvery) return;
    this.keeping = this.write(file).finally(() => (this.keeping = undefined));
  }

  /** Resolves when the file that is being written is. */
  async settled(): Promise<void> {
    await this.keeping;
  }

  /** Keeps the ids for the next process, once. Call it when nothing is stored any more. */
  async keep(): Promise<void> {
    const { file, known } = this.deps;
    await this.settled();
    if (file === undefined || !known.isComplete()) return;
    await (this.last ??= this.write(file));
  }

  private async write(file: KnownIdsFile): Promise<void> {
    const { known } = this.deps;
    this.kept = { at: Date.now() / 1_000, additions: known.additions() };
    await file.write({ at: this.kept.at, generations: known.content() });
  }

  private loaded(isWhole: boolean): void {
    const { known, logger } = this.deps;
    if (isWhole) {
      known.markComplete();
      this.stored();
      return;
    }
    known.turnOff();
    const atMost = known.capacity();
    logger.warn('the store has more ids than their filter has memory for, looking up every create', {
      atMost,
    });
  }

  /** Resolves with false when there are too many ids to read all of them: a filter that is full would report most new ones anyway. */
  private async loadOnce(): Promise<boolean> {
    const { store, known, isExclusive } = this.deps;
    const startedAt = Date.now() / 1_000;
    const since = this.loadedAt === undefined ? undefined : this.loadedAt - CLOCK_DIFFERENCE;
    if (!isExclusive) await store.writer.writeMissingIds(Math.max(since ?? 0, startedAt - UPGRADE));
    const atMost = since === undefined ? known.capacity() : undefined;
    const onPage = (eventIds: readonly string[]) => {
      if (!this.is('stopped')) for (const id of eventIds) known.add(id);
    };
    const isWhole = await store.states.knownIds(onPage, { since, atMost });
    if (isWhole) this.loadedAt = startedAt;
    return isWhole;
  }

  /** Another call can have changed the state meanwhile. */
  private is(state: EventIdFilterLoader['state']): boolean {
    return this.state === state;
  }
}
