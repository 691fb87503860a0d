import { type Snapshot, type Warn, writeSnapshot } from './snapshot-file.js';

export interface SnapshotKeeperOptions {
  readonly dir: string;
  readonly current: () => Snapshot;
  readonly warn: Warn;
  /** Whether the disk has room; always when absent. */
  readonly mayWrite?: () => boolean;
}

const RETRY_FULL_DISK_MS = 5_000;

/** Writes the snapshot after a delay, so that several changes share one write. One write runs at a time. */
export class SnapshotKeeper {
  private timer: NodeJS.Timeout | undefined;
  private dueAt = Infinity;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly options: SnapshotKeeperOptions) {}

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
    const { dir, current, warn, mayWrite } = this.options;
    if (mayWrite?.() === false) return this.changed(RETRY_FULL_DISK_MS);
    try {
      await writeSnapshot(dir, current());
    } catch (cause) {
      warn('cannot write the key snapshot', cause);
    }
  }
}
