/** Weight of the latest measurement in what a byte of a project costs. */
const LATEST = 0.25;
/** Milliseconds of work for a byte before anything was measured: that of small JSON events. */
const FIRST_MS_PER_BYTE = 0.0002;
/** What a byte is taken to cost at the most: the machine may have been busy with something else, or a body may cost for other reasons than its size. */
const MAX_MS_PER_BYTE = 0.002;
/** What smaller bodies take says nothing of what a byte costs. */
const TELLING_BYTES = 4_096;
/** Milliseconds of work that every request takes, however small. */
const LEAST_MS = 0.1;

/** What waits for its turn. */
export interface Waiting {
  /** Lets the work go on. */
  readonly begin: () => void;
  readonly expectedMs: number;
}

/** The work of one project that waits for its turn, and what its requests have cost so far. */
export class FairQueue {
  /** Milliseconds of work that the project was given, on the scale of all projects. */
  servedMs = 0;
  readonly #waiting: Waiting[] = [];
  #waitingMs = 0;
  #msPerByte = FIRST_MS_PER_BYTE;

  get length(): number {
    return this.#waiting.length;
  }

  /** Milliseconds of work that wait, as far as can be told. */
  get waitingMs(): number {
    return this.#waitingMs;
  }

  /** What a body of so many bytes is expected to take. */
  expectedMs(bytes: number): number {
    return bytes * this.#msPerByte + LEAST_MS;
  }

  /** @param first whether it comes before those that wait already */
  add(work: Waiting, first: boolean): void {
    this.#waitingMs += work.expectedMs;
    if (first) this.#waiting.unshift(work);
    else this.#waiting.push(work);
  }

  beginNext(): void {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#waitingMs = this.length === 0 ? 0 : this.#waitingMs - next.expectedMs;
    next.begin();
  }

  /** Learns what the work with a body took. */
  measured(bytes: number, ms: number): void {
    if (bytes < TELLING_BYTES) return;
    const msPerByte = Math.min(Math.max(0, ms - LEAST_MS) / bytes, MAX_MS_PER_BYTE);
    this.#msPerByte += LATEST * (msPerByte - this.#msPerByte);
  }
}
