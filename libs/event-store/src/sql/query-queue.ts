import { AppError, unavailable } from '@assay/errors';
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

/** Queries of all projects that wait. */
const MAX_WAITING = 1_000;

interface Waiter {
  readonly start: () => void;
  readonly reject: (error: AppError) => void;
}

interface ProjectQueries {
  readonly id: string;
  running: number;
  readonly waiting: Waiter[];
}

/**
 * Runs the queries of clients: a few at a time per project, projects in turn. A caller whose signal aborts, or
 * whose query takes too long, gets an error immediately; the slot stays occupied until the query has ended.
 */
export class QueryQueue {
  readonly #options: QueryQueueOptions;
  /** In the order of their next turns. */
  readonly #projects = new Map<string, ProjectQueries>();
  readonly #shutdown = new AbortController();
  #running = 0;
  #waiting = 0;

  constructor(options: QueryQueueOptions) {
    this.#options = options;
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
    await this.#enter(projectId, signal);
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(queryTooLarge()), this.#options.timeoutMs);
    const signals = [limit.signal, this.#shutdown.signal, ...(signal === undefined ? [] : [signal])];
    const ended = AbortSignal.any(signals);
    const running = Promise.resolve(ended)
      .then(query)
      .finally(() => {
        clearTimeout(timer);
        this.#leave(projectId);
      });
    return unlessAborted(running, ended);
  }

  /** Rejects the queries that wait, aborts those that run, and refuses new ones. */
  close(): void {
    for (const project of this.#projects.values())
      for (const { reject } of project.waiting.slice()) reject(closedError());
    this.#shutdown.abort(closedError());
  }

  async #enter(projectId: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#shutdown.signal.aborted) throw closedError();
    if (signal?.aborted) throw abortError(signal);
    const project = this.#projects.get(projectId) ?? { id: projectId, running: 0, waiting: [] };
    this.#projects.set(projectId, project);
    if (this.#mayStart(project)) return this.#start(project);
    if (project.waiting.length >= this.#options.maxWaiting || this.#waiting >= MAX_WAITING)
      throw overloaded('too many queries of this project wait, send the request again later');
    await this.#wait(project, signal);
  }

  #wait(project: ProjectQueries, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        project.waiting.splice(project.waiting.indexOf(waiter), 1);
        this.#waiting--;
      };
      const waiter: Waiter = {
        start: () => {
          leave();
          this.#start(project);
          resolve();
        },
        reject: (error) => {
          leave();
          reject(error);
        },
      };
      const onAbort = () => waiter.reject(abortError(signal));
      const late = () => waiter.reject(overloaded('the query waited too long, send the request again later'));
      const timer = setTimeout(late, this.#options.timeoutMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      project.waiting.push(waiter);
      this.#waiting++;
    });
  }

  #mayStart(project: ProjectQueries): boolean {
    return this.#running < this.#options.concurrency && project.running < this.#options.perProject;
  }

  #start(project: ProjectQueries): void {
    this.#moveToEnd(project);
    project.running++;
    this.#running++;
  }

  /** A project that had a turn is the last to get the next one. */
  #moveToEnd(project: ProjectQueries): void {
    this.#projects.delete(project.id);
    this.#projects.set(project.id, project);
  }

  #leave(projectId: string): void {
    const left = this.#projects.get(projectId);
    if (left !== undefined) {
      left.running--;
      this.#moveToEnd(left);
    }
    this.#running--;
    for (const [id, project] of [...this.#projects]) {
      const [next] = project.waiting;
      if (next !== undefined && this.#mayStart(project)) next.start();
      else if (next === undefined && project.running === 0) this.#projects.delete(id);
    }
  }
}

async function unlessAborted<Result>(running: Promise<Result>, signal: AbortSignal): Promise<Result> {
  // The result of a query whose caller has left is discarded.
  running.catch(() => undefined);
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

function abortError(signal: AbortSignal | undefined): AppError {
  const reason: unknown = signal?.reason;
  return reason instanceof AppError ? reason : unavailable('the query was cancelled', reason);
}

function closedError(): AppError {
  return unavailable('the event store is closed');
}

function overloaded(message: string): AppError {
  return new AppError('OVERLOADED', message);
}
