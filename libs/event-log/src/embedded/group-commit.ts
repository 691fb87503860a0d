import { AppError, unavailable } from '@assay/errors';
import { APPEND_DEADLINE_MS } from '../deadline.js';
import { refuseOverload } from '../record-size.js';

/** A change submitted by one caller. */
export interface Change {
  readonly bytes: number;
}

interface Waiting<T> {
  readonly bytes: number;
  /** Undefined for work that runs alone, between two groups. */
  readonly change: T | undefined;
  readonly work: (() => Promise<void>) | undefined;
  settle(failure: AppError | undefined): void;
}

/** Maximum bytes of a group, so that many large appends do not wait for one huge sync. */
const GROUP_BYTES = 16 * 1024 * 1024;

/**
 * Queues changes and commits them group by group: all that wait while one group is being synced share the
 * next sync. A change is in one group as a whole.
 */
export class GroupCommit<T extends Change> {
  private readonly queue: Waiting<T>[] = [];
  private waitingBytes = 0;
  private running: Promise<void> | undefined;

  /** @param commitAll makes the changes durable together; when it rejects, none of them was written */
  constructor(private readonly commitAll: (changes: readonly T[]) => Promise<void>) {}

  /**
   * Resolves when the change is durable.
   * @throws AppError `OVERLOADED` when too much waits already, `UNAVAILABLE` when the commit failed or took
   * longer than 8 s
   */
  submit(change: T): Promise<void> {
    refuseOverload(this.waitingBytes, change.bytes);
    return this.enqueue(change.bytes, change, undefined);
  }

  /** Runs the work while no group is being committed. @throws as {@link submit} */
  exclusive(work: () => Promise<void>): Promise<void> {
    return this.enqueue(0, undefined, work);
  }

  /** Bytes of the changes that wait or are being written. */
  get pendingBytes(): number {
    return this.waitingBytes;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  private enqueue(bytes: number, change: Waiting<T>['change'], work: Waiting<T>['work']): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.giveUp(waiting), APPEND_DEADLINE_MS);
      const waiting: Waiting<T> = {
        bytes,
        change,
        work,
        settle: (error) => {
          clearTimeout(timer);
          if (error === undefined) resolve();
          else reject(error);
        },
      };
      this.waitingBytes += bytes;
      this.queue.push(waiting);
      this.running ??= this.run();
    });
  }

  /** Withdraws a change that has not been started; the outcome of a started one is unknown. */
  private giveUp(waiting: Waiting<T>): void {
    const index = this.queue.indexOf(waiting);
    if (index >= 0) this.release(this.queue.splice(index, 1));
    waiting.settle(unavailable('the event log did not confirm in time'));
  }

  private release(group: readonly Waiting<T>[]): void {
    for (const { bytes } of group) this.waitingBytes -= bytes;
  }

  private async run(): Promise<void> {
    // One turn of the event loop lets the appends of the same turn gather.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.queue.length > 0) await this.commitGroup(this.takeGroup());
    this.running = undefined;
  }

  private takeGroup(): Waiting<T>[] {
    let bytes = 0;
    let count = 0;
    for (const { bytes: more, work } of this.queue) {
      bytes += more;
      if (count > 0 && (work !== undefined || bytes > GROUP_BYTES)) break;
      count += 1;
      if (work !== undefined) break;
    }
    return this.queue.splice(0, count);
  }

  private async commitGroup(group: readonly Waiting<T>[]): Promise<void> {
    const work = group[0]?.work ?? (() => this.commitAll(changesOf(group)));
    const failure = await work().then(
      () => undefined,
      (error: unknown) =>
        error instanceof AppError ? error : unavailable('the event log could not be written', error),
    );
    this.release(group);
    for (const waiting of group) waiting.settle(failure);
  }
}

function changesOf<T>(group: readonly Waiting<T>[]): T[] {
  const changes: T[] = [];
  for (const { change } of group) if (change !== undefined) changes.push(change);
  return changes;
}
