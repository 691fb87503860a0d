import type { StatesPort, WriterPort } from '@assay/event-store';
import type { Logger } from '@assay/runtime';
import type { EventIdFilter } from './event-id-filter.js';
import type { KnownIdsFile } from './known-ids-file.js';

export interface EventIdFilterLoaderDeps {
  readonly store: { readonly states: StatesPort; readonly writer: WriterPort };
  readonly known: EventIdFilter;
  /** Whether no other process writes to the event store. */
  readonly isExclusive: boolean;
  /** Keeps the ids between two processes; absent: they are read at each start. */
  readonly file?: KnownIdsFile | undefined;
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
 * possibly stored; a failed load is retried.
 */
export class EventIdFilterLoader {
  private state: 'idle' | 'loading' | 'asked again' | 'stopped' = 'idle';
  /** When the last load that succeeded began, Unix seconds. */
  private loadedAt: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private kept: Promise<void> | undefined;

  constructor(private readonly deps: EventIdFilterLoaderDeps) {}

  /** Takes what the process before has kept. Call it before anything is stored. */
  async restore(): Promise<void> {
    const { file, known } = this.deps;
    const found = await file?.take(known.maxBytes);
    if (found === undefined) return;
    known.restore(found.generations);
    this.loadedAt = found.at;
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
      do {
        this.state = 'loading';
        await this.loadOnce();
      } while (this.is('asked again'));
      if (!this.is('stopped')) known.markComplete();
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

  /** Keeps the ids for the next process, once. Call it when nothing is stored any more. */
  async keep(): Promise<void> {
    const { file, known } = this.deps;
    if (file === undefined || !known.isComplete()) return;
    await (this.kept ??= file.write({ at: Date.now() / 1_000, generations: known.content() }));
  }

  private async loadOnce(): Promise<void> {
    const { store, known, isExclusive } = this.deps;
    const startedAt = Date.now() / 1_000;
    const since = this.loadedAt === undefined ? undefined : this.loadedAt - CLOCK_DIFFERENCE;
    if (!isExclusive) await store.writer.writeMissingIds(Math.max(since ?? 0, startedAt - UPGRADE));
    await store.states.knownIds((eventIds) => {
      if (!this.is('stopped')) for (const id of eventIds) known.add(id);
    }, since);
    this.loadedAt = startedAt;
  }

  /** Another call can have changed the state meanwhile. */
  private is(state: EventIdFilterLoader['state']): boolean {
    return this.state === state;
  }
}
