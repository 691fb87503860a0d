import { type Snapshot, type Warn, writeSnapshot } from './snapshot-file.js';

/** Writes the snapshot after a delay, so that several changes share one write. One write runs at a time. */
export class SnapshotKeeper {
  private timer: NodeJS.Timeout | undefined;
  private dueAt = Infinity;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly dir: string,
    private readonly current: () => Snapshot,
    private readonly warn: Warn,
  ) {}

  /** Schedules a write within `delayMs`. */
  changed(delayMs: number): void {
    const dueAt = performance.now() + delayMs;
    if (dueAt >= this.dueAt) return;
    clearTimeout(this.timer);
    this.dueAt = dueAt;
    this.timer = setTimeout(() => void this.flush(), delayMs).unref();
  }

  /** Writes pending changes. A failure is only a warning: the next change schedules another write. */
  flush(): Promise<void> {
    if (this.dueAt === Infinity) return this.writing;
    clearTimeout(this.timer);
    this.dueAt = Infinity;
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  private async write(): Promise<void> {
    try {
      await writeSnapshot(this.dir, this.current());
    } catch (cause) {
      this.warn('cannot write the key snapshot', cause);
    }
  }
}
