import { AppError, unavailable } from '@assay/errors';
import { APPEND_DEADLINE_MS } from '../deadline.js';
import { refuseOverload } from '../record-size.js';

/** A change submitted by one caller. */
export interface Change {
  readonly bytes: number;
}

interface Waiting<T> {
  /** Looks at which it waited. */
  looks: number;
  readonly bytes: number;
  /** Undefined for work that runs alone, between two groups. */
  readonly change: T | undefined;
  readonly work: (() => Promise<void>) | undefined;
  settle(failure: AppError | undefined): void;
}

/** Intervals in which the log is looked at while something waits, and their number within the deadline. */
const LOOK_MS = 500;
const MAX_LOOKS = APPEND_DEADLINE_MS / LOOK_MS;
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
  /** What is being made durable. */
  private committing: readonly Waiting<T>[] = [];
  /** Looks since something was done last. */
  private idleLooks = 0;

  /**
   * @param commitAll makes the changes durable together; when it rejects, none of them was written. It calls `progressed` after each part
   * of its work
   */
  constructor(private readonly commitAll: (changes: readonly T[], progressed: () => void) => Promise<void>) {}

  /**
   * Resolves when the change is durable. How long that takes depends on what waits, which is bounded in bytes, and on what else the machine
   * does.
   * @throws AppError `OVERLOADED` when too much waits already, `UNAVAILABLE` when the commit failed, or when nothing was done for 8 s
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
      const settle = (error: AppError | undefined) => (error === undefined ? resolve() : reject(error));
      const waiting: Waiting<T> = { looks: 0, bytes, change, work, settle };
      this.waitingBytes += bytes;
      this.queue.push(waiting);
      this.running ??= this.run();
    });
  }

  /**
   * Gives up what has waited for the deadline when nothing was done in that time. A process that gets no core looks less often, and does
   * not take that for a log that stands still.
   */
  private readonly look = () => {
    this.idleLooks += 1;
    for (const waiting of [...this.committing, ...this.queue]) {
      waiting.looks += 1;
      if (waiting.looks >= MAX_LOOKS && this.idleLooks >= MAX_LOOKS) this.giveUp(waiting);
    }
  };

  private readonly progressed = () => {
    this.idleLooks = 0;
  };

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
    this.progressed();
    const timer = setInterval(this.look, LOOK_MS);
    await new Promise((resolve) => setImmediate(resolve));
    while (this.queue.length > 0) await this.commitGroup(this.takeGroup());
    clearInterval(timer);
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
    this.committing = group;
    const work = group[0]?.work ?? (() => this.commitAll(changesOf(group), this.progressed));
    const failure = await work().then(
      () => undefined,
      (error: unknown) =>
        error instanceof AppError ? error : unavailable('the event log could not be written', error),
    );
    this.progressed();
    this.committing = [];
    this.release(group);
    for (const waiting of group) waiting.settle(failure);
  }
}

function changesOf<T>(group: readonly Waiting<T>[]): T[] {
  const changes: T[] = [];
  for (const { change } of group) if (change !== undefined) changes.push(change);
  return changes;
}
