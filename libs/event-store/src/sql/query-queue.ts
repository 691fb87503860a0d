import { unavailable } from '@assay/errors';
import { FairSlots, linkSignals } from '@assay/runtime';
import type { QueryLoad } from '../event-store.js';
import { HeavyProjects } from './heavy-projects.js';
import { abortError, QueryRun, type RunnableQuery } from './query-run.js';

/** Shares of the projects in what runs. */
export interface QueryShares {
  /** Queries that run at a time, beside one in the reserve. */
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

/** Queries that run beside the others, so that a project with short queries does not wait until long ones of others have ended. */
export const RESERVED_QUERIES = 1;
/** How long a query runs in the reserve before it has to yield to another one, in milliseconds. */
const LONG_MS = 2_000;
/** A query that runs for this part of its time limit is heavy. */
const HEAVY_PART = 1 / 3;

type ReservableRun = Pick<QueryRun<unknown>, 'inReserve' | 'leavesReserve' | 'yieldIfLong'>;

/**
 * Runs the queries of clients: a few at a time per project, projects in turn. A caller whose signal aborts, or
 * whose query takes too long, gets an error immediately; the slot stays occupied until the query has ended.
 *
 * A query that finds all slots occupied runs in the reserve meanwhile, if its project runs fewer queries than it may and has had no
 * heavy one a short while ago. When it is its turn, it moves to the free slot as it is. If another query waits for the reserve after
 * 2 s, it is cancelled, counts as heavy, and runs again in its turn.
 */
export class QueryQueue {
  readonly #slots: FairSlots;
  readonly #reserve: FairSlots;
  readonly #options: QueryQueueOptions;
  readonly #heavyProjects = new HeavyProjects();
  readonly #shutdown = new AbortController();
  /** The query that runs in the reserve. */
  #reserved: { readonly projectId: string; readonly run: ReservableRun } | undefined;
  #asked = 0;

  constructor(options: QueryQueueOptions) {
    const { concurrency, perProject, maxWaiting, timeoutMs } = options;
    const waits = { maxWaiting, maxWaitMs: timeoutMs };
    this.#options = options;
    this.#slots = new FairSlots({ total: concurrency, perProject, ...waits });
    this.#reserve = new FairSlots({ total: RESERVED_QUERIES, perProject: RESERVED_QUERIES, ...waits });
  }

  /**
   * Runs a query when it is the project's turn. The query gets a signal that aborts when the result is no longer
   * needed, and is called again if it was cancelled in the reserve.
   * @throws AppError `OVERLOADED` when too many queries wait or the wait is too long, `VALIDATION_ERROR` when the
   * query takes too long, `UNAVAILABLE` when `signal` aborts or the queue is closed
   */
  async run<Result>(projectId: string, query: RunnableQuery<Result>, signal?: AbortSignal): Promise<Result> {
    this.#asked += 1;
    const ended = linkSignals([this.#shutdown.signal, ...(signal === undefined ? [] : [signal])]);
    try {
      return await this.#runUntil(ended.signal, projectId, query);
    } finally {
      ended.unlink();
    }
  }

  async #runUntil<Result>(
    ended: AbortSignal,
    projectId: string,
    query: RunnableQuery<Result>,
  ): Promise<Result> {
    if (ended.aborted) throw abortError(ended);
    const run = new QueryRun(query, {
      timeoutMs: this.#options.timeoutMs,
      longMs: LONG_MS,
      heavyMs: this.#options.timeoutMs * HEAVY_PART,
      onLong: () => this.#yieldReserve(),
      onHeavy: () => this.#heavyProjects.add(projectId),
      ended,
    });
    const isFull = this.#slots.running >= this.#options.concurrency;
    this.#slots.run(projectId, () => run.inTurn(), run.leavesQueue).catch((error) => run.refuse(error));
    if (isFull && this.#isQuiet(projectId)) this.#runInReserve(projectId, run);
    return run.result;
  }

  /** Queries that run and that wait, and how many there have been, of all projects. */
  get load(): QueryLoad {
    const reserved = this.#reserve.running;
    // A query in the reserve waits for its turn, too.
    const waiting = Math.max(0, this.#slots.waiting - reserved);
    return { running: this.#slots.running + reserved, waiting, asked: this.#asked };
  }

  /** Rejects the queries that wait, aborts those that run, and refuses new ones. */
  close(): void {
    this.#shutdown.abort(unavailable('the event store is closed'));
  }

  #isQuiet(projectId: string): boolean {
    const running = this.#slots.runningOf(projectId) + (this.#reserved?.projectId === projectId ? 1 : 0);
    return running < this.#options.perProject && !this.#heavyProjects.has(projectId);
  }

  #runInReserve(projectId: string, run: ReservableRun): void {
    const occupy = async () => {
      // The project may have had a heavy query, or a turn, since this one began to wait.
      if (!this.#isQuiet(projectId)) return;
      this.#reserved = { projectId, run };
      await run.inReserve();
      this.#reserved = undefined;
    };
    // Its turn in the other slots remains.
    this.#reserve.run(projectId, occupy, run.leavesReserve).catch(() => undefined);
    this.#yieldReserve();
  }

  #yieldReserve(): void {
    if (this.#reserve.waiting > 0) this.#reserved?.run.yieldIfLong();
  }
}
