import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs, type Logger } from '@assay/runtime';
import type { PythonProcess } from './python-process.js';

export interface WorkerPoolOptions {
  /** Starts a process that has passed the self-test. */
  readonly start: () => Promise<PythonProcess>;
  readonly size: number;
  /** Maximum wait for a process while all are being restarted, in milliseconds. */
  readonly maxWaitMs: number;
  readonly log: Logger;
}

const MAX_BACKOFF_MS = 30_000;
/** A process that has lived as long resets the backoff. */
const STABLE_MS = 10_000;

/** Keeps a number of processes running, and lends each to one call at a time. */
export class WorkerPool {
  readonly #idle: PythonProcess[] = [];
  readonly #waiting: ((process: PythonProcess | undefined) => void)[] = [];
  readonly #running = new Set<PythonProcess>();
  readonly #closing = new AbortController();
  readonly #supervised: Promise<void>[];

  /** @param first a process that is already running */
  constructor(
    private readonly options: WorkerPoolOptions,
    first: PythonProcess,
  ) {
    this.#supervised = Array.from({ length: options.size }, (_, index) =>
      this.#supervise(index === 0 ? first : undefined),
    );
  }

  /** Returns an idle process, to be given back with {@link release}; `undefined` when none is ready in time. */
  acquire(): Promise<PythonProcess | undefined> {
    if (this.#closing.signal.aborted) return Promise.resolve(undefined);
    for (let process = this.#idle.pop(); process !== undefined; process = this.#idle.pop())
      if (!process.hasEnded) return Promise.resolve(process);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(receive), 1);
        resolve(undefined);
      }, this.options.maxWaitMs);
      const receive = (process: PythonProcess | undefined) => {
        clearTimeout(timer);
        resolve(process);
      };
      this.#waiting.push(receive);
    });
  }

  release(process: PythonProcess): void {
    if (process.hasEnded) return;
    const receive = this.#waiting.shift();
    if (receive) receive(process);
    else this.#idle.push(process);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const receive of this.#waiting.splice(0)) receive(undefined);
    await Promise.all([...this.#running].map((process) => process.close()));
    await Promise.all(this.#supervised);
  }

  /** Starts a process again whenever it ends. */
  async #supervise(first: PythonProcess | undefined): Promise<void> {
    const { signal } = this.#closing;
    let next = first;
    for (let failures = 0; !signal.aborted;) {
      const startedAt = performance.now();
      try {
        const process = next ?? (await this.options.start());
        next = undefined;
        await this.#offer(process);
      } catch (error) {
        this.options.log.warn('a Python process could not be started', {}, error);
      }
      if (signal.aborted) return;
      if (performance.now() - startedAt > STABLE_MS) failures = 0;
      await delay(backoffMs(failures++, Math.random(), MAX_BACKOFF_MS), undefined, { signal }).catch(
        () => undefined,
      );
    }
  }

  /** Makes a process available until it ends. */
  async #offer(process: PythonProcess): Promise<void> {
    this.#running.add(process);
    if (this.#closing.signal.aborted) await process.close();
    else this.release(process);
    await process.ended;
    this.#running.delete(process);
    if (!this.#closing.signal.aborted) this.options.log.warn('a Python process ended, starting another one');
  }
}
