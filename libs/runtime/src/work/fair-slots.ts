import { AppError, unavailable } from '@assay/errors';
import { mayBegin } from './may-begin.js';

export interface FairSlotsOptions {
  /** Calls that run at a time. */
  readonly total: number;
  /** Calls of one project that run at a time. */
  readonly perProject: number;
  /** Calls beyond the total, of projects that run none. */
  readonly reserve?: number;
  /** Calls of one project that wait; further ones are rejected. */
  readonly maxWaiting: number;
  /** Maximum wait, in milliseconds. */
  readonly maxWaitMs: number;
  /** Whether a project may run as many calls as are free, and no more, so that projects with calls that hang leave some to others. */
  readonly leavesRoom?: boolean;
}

/** Calls of all projects that wait. */
const MAX_WAITING = 1_000;

interface Waiter {
  readonly start: () => void;
}

interface ProjectCalls {
  readonly id: string;
  running: number;
  readonly waiting: Waiter[];
}

/**
 * Runs a few calls of each project at a time, while further ones wait in a bounded queue. A free slot goes to the project
 * whose last turn is the longest ago.
 */
export class FairSlots {
  /** In the order of their next turns. */
  readonly #projects = new Map<string, ProjectCalls>();
  #running = 0;
  #waiting = 0;

  constructor(private readonly options: FairSlotsOptions) {}

  /** Calls that run. */
  get running(): number {
    return this.#running;
  }

  /** Calls of a project that run. */
  runningOf(projectId: string): number {
    return this.#projects.get(projectId)?.running ?? 0;
  }

  /** Calls of all projects that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs a call when it is the project's turn.
   * @throws AppError `OVERLOADED` when too many calls of the project wait or the wait is too long, the reason of
   * `signal` or `UNAVAILABLE` when it aborts during the wait, and what the call throws
   */
  async run<T>(projectId: string, call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const project = this.#projectOf(projectId);
    if (this.#mayStart(project)) this.#start(project);
    else await this.#wait(project, signal);
    try {
      return await call();
    } finally {
      this.#leave(project);
    }
  }

  #projectOf(id: string): ProjectCalls {
    let project = this.#projects.get(id);
    if (project === undefined) this.#projects.set(id, (project = { id, running: 0, waiting: [] }));
    return project;
  }

  #wait(project: ProjectCalls, signal: AbortSignal | undefined): Promise<void> {
    const { maxWaiting, maxWaitMs } = this.options;
    const isFull = project.waiting.length >= maxWaiting || this.#waiting >= MAX_WAITING;
    if (isFull || signal?.aborted) {
      this.#forgetIfIdle(project);
      return Promise.reject(isFull ? overloaded() : disconnected(signal));
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        project.waiting.splice(project.waiting.indexOf(waiter), 1);
        this.#waiting--;
      };
      const fail = (error: AppError) => {
        leave();
        this.#forgetIfIdle(project);
        reject(error);
      };
      const onAbort = () => fail(disconnected(signal));
      const timer = setTimeout(() => fail(overloaded()), maxWaitMs).unref();
      const waiter = {
        start: () => {
          leave();
          this.#start(project);
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      project.waiting.push(waiter);
      this.#waiting++;
    });
  }

  #mayStart({ running }: ProjectCalls): boolean {
    return mayBegin(this.options, { ofProject: running, ofAll: this.#running });
  }

  #start(project: ProjectCalls): void {
    this.#moveToEnd(project);
    project.running++;
    this.#running++;
  }

  /** A project that has had a turn is the last to get the next one. */
  #moveToEnd(project: ProjectCalls): void {
    this.#projects.delete(project.id);
    this.#projects.set(project.id, project);
  }

  #leave(project: ProjectCalls): void {
    project.running--;
    this.#running--;
    this.#moveToEnd(project);
    this.#forgetIfIdle(project);
    if (this.#waiting === 0) return;
    for (const other of [...this.#projects.values()]) {
      const [next] = other.waiting;
      if (next !== undefined && this.#mayStart(other)) next.start();
    }
  }

  #forgetIfIdle({ id, running, waiting }: ProjectCalls): void {
    if (running === 0 && waiting.length === 0) this.#projects.delete(id);
  }
}

function overloaded(): AppError {
  return new AppError(
    'OVERLOADED',
    'too many requests of the project are in progress, send the request again later',
  );
}

function disconnected(signal: AbortSignal | undefined): AppError {
  const reason: unknown = signal?.reason;
  return reason instanceof AppError ? reason : unavailable('the client has disconnected', reason);
}
