import { AppError, unavailable } from '@assay/errors';
import { FairSlots } from '@assay/runtime';
import type { QueryLoad } from '../event-store.js';
import { queryTooLarge } from './engine/engine-failure.js';

/** Shares of the projects in what runs. */
export interface QueryShares {
  /** Queries that run at a time. */
  readonly concurrency: number;
  /** Queries of one project that run at a time. */
  readonly perProject: number;
  /** Queries of one project that wait. */
  readonly maxWaiting: number;
}

export interface QueryQueueOptions extends QueryShares {
  /** How long a query waits, and how long it runs before its caller gets an error, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Runs the queries of clients: a few at a time per project, projects in turn. A caller whose signal aborts, or
 * whose query takes too long, gets an error immediately; the slot stays occupied until the query has ended.
 */
export class QueryQueue {
  readonly #slots: FairSlots;
  readonly #timeoutMs: number;
  readonly #shutdown = new AbortController();
  #asked = 0;

  constructor({ concurrency, perProject, maxWaiting, timeoutMs }: QueryQueueOptions) {
    this.#slots = new FairSlots({ total: concurrency, perProject, maxWaiting, maxWaitMs: timeoutMs });
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Runs a query when it is the project's turn. The query gets a signal that aborts when the result is no longer
   * needed.
   * @throws AppError `OVERLOADED` when too many queries wait or the wait is too long, `VALIDATION_ERROR` when the
   * query takes too long, `UNAVAILABLE` when `signal` aborts or the queue is closed
   */
  async run<Result>(
    projectId: string,
    query: (signal: AbortSignal) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    this.#asked += 1;
    const limit = new AbortController();
    const signals = [limit.signal, this.#shutdown.signal, ...(signal === undefined ? [] : [signal])];
    const ended = AbortSignal.any(signals);
    if (ended.aborted) throw abortError(ended);
    return new Promise((resolve, reject) => {
      const occupySlot = async () => {
        const timer = setTimeout(() => limit.abort(queryTooLarge()), this.#timeoutMs);
        const running = Promise.resolve(ended).then(query);
        resolve(unlessAborted(running, ended));
        // The caller gets a failure by way of its own promise.
        await running.catch(() => undefined);
        clearTimeout(timer);
      };
      this.#slots.run(projectId, occupySlot, ended).catch(reject);
    });
  }

  /** Queries that run and that wait, and how many there have been, of all projects. */
  get load(): QueryLoad {
    return { running: this.#slots.running, waiting: this.#slots.waiting, asked: this.#asked };
  }

  /** Rejects the queries that wait, aborts those that run, and refuses new ones. */
  close(): void {
    this.#shutdown.abort(unavailable('the event store is closed'));
  }
}

async function unlessAborted<Result>(running: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let onAbort = () => undefined as void;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(abortError(signal));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([running, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function abortError({ reason }: AbortSignal): AppError {
  return reason instanceof AppError ? reason : unavailable('the query was cancelled', reason);
}
