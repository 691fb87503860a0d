import { runCooperatively, type Steps } from '@assay/runtime';
import type { FairQueue } from './fair-queue.js';

/** Milliseconds after which a long task yields. */
export const SLICE_MS = 5;

/** Decides when the tasks of requests run. */
export interface TaskScheduler {
  now(): number;
  assertCapacity(queue: FairQueue): void;
  begin(task: ScheduledTask, queue: FairQueue, bytes: number): Promise<void> | undefined;
  yieldTurn(task: ScheduledTask, queue: FairQueue): Promise<void>;
  resume(task: ScheduledTask, queue: FairQueue): Promise<void> | undefined;
  charge(queue: FairQueue, ms: number): void;
}

/** Processing of one request on the event loop, in slices. */
export class ScheduledTask {
  #bytes = 0;
  #spentMs = 0;
  /** Start of the current slice; undefined while the task waits. */
  #sliceStart: number | undefined;

  constructor(
    private readonly scheduler: TaskScheduler,
    private readonly queue: FairQueue,
  ) {}

  /** Call it before reading the body. @throws AppError `OVERLOADED` when the queue of the project is too long */
  assertCapacity(): void {
    this.scheduler.assertCapacity(this.queue);
  }

  /**
   * Call it when the body is complete, or when there is none.
   * @param bytes size of the body, inflated; 0 without a body
   * @returns undefined when the task may run now, else a promise that resolves when it may
   * @throws AppError `OVERLOADED` when too many bodies were accepted, see {@link assertCapacity}
   */
  begin(bytes: number): Promise<void> | undefined {
    this.#bytes = bytes;
    return this.scheduler.begin(this, this.queue, bytes);
  }

  /**
   * Call it between steps of the task, as often as convenient.
   * @returns undefined when the task may continue, else a promise that resolves when it may
   */
  readonly yieldToEventLoop = (): Promise<void> | undefined => {
    if (this.#sliceStart === undefined || this.scheduler.now() - this.#sliceStart < SLICE_MS)
      return undefined;
    this.endSlice();
    return this.scheduler.yieldTurn(this, this.queue);
  };

  /**
   * Call it before work that follows I/O, such as encoding the response, and {@link endSlice} after it.
   * @returns undefined when the task may run now, else a promise that resolves when it may
   */
  resume(): Promise<void> | undefined {
    return this.scheduler.resume(this, this.queue);
  }

  /** Runs work in slices of this task. Rejects with what the work throws. */
  readonly runInTurns = async <T>(steps: Steps<T>): Promise<T> => {
    await this.resume();
    try {
      return await runCooperatively(steps, this.yieldToEventLoop);
    } finally {
      this.endSlice();
    }
  };

  /** Charges work to the project that has already been done outside of a slice, in milliseconds. */
  charge(ms: number): void {
    this.#spentMs += ms;
    this.scheduler.charge(this.queue, ms);
  }

  startSlice(): void {
    this.#sliceStart = this.scheduler.now();
  }

  /** Ends the slice without measuring it: the request waits for I/O and the end of its processing is unknown. */
  discardSlice(): void {
    this.#sliceStart = undefined;
  }

  /** Ends the current slice, if any, and charges its duration to the project. */
  endSlice(): void {
    if (this.#sliceStart === undefined) return;
    const ms = this.scheduler.now() - this.#sliceStart;
    this.discardSlice();
    this.#spentMs += ms;
    this.queue.servedMs += ms;
  }

  /** Call it after the response: the measured time improves the estimate for later requests of the project. */
  close(): void {
    if (this.#spentMs > 0) this.queue.recordCost(this.#bytes, this.#spentMs);
  }
}
