/** Weight of the latest sample in the moving average of the cost per byte. */
const LATEST_WEIGHT = 0.25;
/** Cost per byte before the first sample: that of small JSON events. */
const INITIAL_MS_PER_BYTE = 0.0002;
/** Upper bound of the cost per byte: a sample may be high because the machine was busy, or for reasons other than size. */
const MAX_MS_PER_BYTE = 0.002;
/** Smaller bodies are not sampled: their duration does not depend on their size. */
const MIN_SAMPLE_BYTES = 4_096;
/** Cost of every request regardless of its size, in milliseconds. */
const BASE_MS = 0.1;
/** Upper bound of the expected cost of a request without a body, in milliseconds. */
const MAX_MS_WITHOUT_BODY = 20;

/** Task that waits for its turn. */
export interface WaitingTask {
  /** Starts or resumes the task. */
  readonly start: () => void;
  readonly expectedMs: number;
}

/** Waiting tasks of one project, with the processing time the project has received. */
export class FairQueue {
  /** Processing time that the project has received, in milliseconds, on the virtual clock of all projects. */
  servedMs = 0;
  readonly #waiting: WaitingTask[] = [];
  #waitingMs = 0;
  #msPerByte = INITIAL_MS_PER_BYTE;
  #msWithoutBody = BASE_MS;

  get length(): number {
    return this.#waiting.length;
  }

  /** Expected processing time of the waiting tasks, in milliseconds. */
  get waitingMs(): number {
    return this.#waitingMs;
  }

  /** Expected processing time of a request with a body of this size, or with none. */
  expectedMs(bytes: number): number {
    return bytes === 0 ? this.#msWithoutBody : this.chargedMs(bytes);
  }

  /** Part of it that is charged when the task starts without waiting, because its first slice is not measured. */
  chargedMs(bytes: number): number {
    return bytes * this.#msPerByte + BASE_MS;
  }

  /** @param first whether the task goes before those that already wait */
  add(task: WaitingTask, first: boolean): void {
    this.#waitingMs += task.expectedMs;
    if (first) this.#waiting.unshift(task);
    else this.#waiting.push(task);
  }

  startNext(): void {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#waitingMs = this.length === 0 ? 0 : this.#waitingMs - next.expectedMs;
    next.start();
  }

  /** Updates the average cost per byte, or of a request without a body, with the measured time of one request. */
  recordCost(bytes: number, ms: number): void {
    if (bytes === 0)
      this.#msWithoutBody += LATEST_WEIGHT * (Math.min(ms, MAX_MS_WITHOUT_BODY) - this.#msWithoutBody);
    if (bytes < MIN_SAMPLE_BYTES) return;
    const msPerByte = Math.min(Math.max(0, ms - BASE_MS) / bytes, MAX_MS_PER_BYTE);
    this.#msPerByte += LATEST_WEIGHT * (msPerByte - this.#msPerByte);
  }
}
