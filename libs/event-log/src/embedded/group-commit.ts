import { AppError, unavailable } from '@assay/errors';
import { APPEND_DEADLINE_MS } from '../deadline.js';
import type { LogRecord } from '../event-log.js';
import { refuseOverload } from '../record-size.js';

/** What one caller wants written: records to append, or other writes to put into the same transaction. */
export interface Change {
  readonly records: readonly LogRecord[];
  readonly bytes: number;
  /** Writes other than appending; called inside the transaction. */
  write?(): void;
}

interface Waiting extends Change {
  settle(failure: AppError | undefined): void;
}

/** One transaction holds at most this much, so that a flood of large appends does not wait for one huge commit. */
const TRANSACTION_BYTES = 16 * 1024 * 1024;

/**
 * Queues changes and commits them group by group: all that wait while one commit is being synced share the next one. A change
 * is in one transaction as a whole.
 */
export class GroupCommit {
  private readonly queue: Waiting[] = [];
  private waitingBytes = 0;
  private running: Promise<void> | undefined;

  /** @param commitAll writes the changes in one transaction; when it rejects, none of them was written */
  constructor(private readonly commitAll: (changes: readonly Change[]) => Promise<void>) {}

  /**
   * Resolves when the change is on disk.
   * @throws AppError `OVERLOADED` when too much waits already, `UNAVAILABLE` when the commit failed or took longer than 8 s
   */
  submit(change: Change): Promise<void> {
    refuseOverload(this.waitingBytes, change.bytes);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.giveUp(waiting), APPEND_DEADLINE_MS);
      const waiting: Waiting = {
        ...change,
        settle: (error) => {
          clearTimeout(timer);
          if (error === undefined) resolve();
          else reject(error);
        },
      };
      this.waitingBytes += change.bytes;
      this.queue.push(waiting);
      this.running ??= this.run();
    });
  }

  /** Bytes of the changes that wait or are being written. */
  get pendingBytes(): number {
    return this.waitingBytes;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  /** Takes back a change that has not been started; the outcome of one under way is unknown. */
  private giveUp(waiting: Waiting): void {
    const index = this.queue.indexOf(waiting);
    if (index >= 0) this.release(this.queue.splice(index, 1));
    waiting.settle(unavailable('the event log did not confirm in time'));
  }

  private release(group: readonly Waiting[]): void {
    for (const { bytes } of group) this.waitingBytes -= bytes;
  }

  private async run(): Promise<void> {
    // One turn of the event loop lets the appends of the same turn gather.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.queue.length > 0) await this.commitGroup(this.takeGroup());
    this.running = undefined;
  }

  private takeGroup(): Waiting[] {
    let bytes = 0;
    const cut = this.queue.findIndex(
      ({ bytes: more }, index) => (bytes += more) > TRANSACTION_BYTES && index > 0,
    );
    return this.queue.splice(0, cut === -1 ? this.queue.length : cut);
  }

  private async commitGroup(group: readonly Waiting[]): Promise<void> {
    const failure = await this.commitAll(group).then(
      () => undefined,
      (error: unknown) =>
        error instanceof AppError ? error : unavailable('the event log could not be written', error),
    );
    this.release(group);
    for (const waiting of group) waiting.settle(failure);
  }
}
