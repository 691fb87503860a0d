import { unavailable } from '@assay/errors';
import type { TemplateJob } from './messages.js';
import { WorkerThread, type BatchResult, type ThreadOptions } from './worker-thread.js';

export interface PoolOptions extends ThreadOptions {
  readonly warn: (phrase: string, error: unknown) => void;
}

/** Time after a failed start during which no other one is tried, in milliseconds. */
const RETRY_AFTER_MS = 1_000;
/** Stopped threads that have not exited yet while others replace them: native code cannot be interrupted everywhere. */
const MAX_LINGERING = 2;

/** Idle worker threads. The caller runs as many batches at a time as there may be threads. */
export class ThreadPool {
  private readonly idle: WorkerThread[] = [];
  private readonly threads = new Set<WorkerThread>();
  private readonly lingering = new Set<Promise<void>>();
  private failed: { readonly retryAt: number; readonly error: Error } | undefined;
  private isClosed = false;

  constructor(private readonly options: PoolOptions) {}

  /** Runs jobs on an idle or new thread. @throws AppError `UNAVAILABLE` when no thread can be started */
  async run(jobs: readonly TemplateJob[]): Promise<BatchResult> {
    const thread = this.takeIdle() ?? (await this.start());
    const result = await thread.run(jobs);
    if (thread.isAlive && !this.isClosed) this.idle.push(thread);
    else this.remove(thread);
    return result;
  }

  /** Ends all threads; batches that run end without outcomes. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.idle.length = 0;
    await Promise.all(Array.from(this.threads, (thread) => thread.terminate()));
  }

  private takeIdle(): WorkerThread | undefined {
    for (let thread = this.idle.pop(); thread; thread = this.idle.pop()) {
      if (thread.isAlive) return thread;
      this.remove(thread);
    }
    return undefined;
  }

  private async start(): Promise<WorkerThread> {
    if (this.isClosed) throw unavailable('the process is shutting down');
    if (this.failed && performance.now() < this.failed.retryAt) throw cannotStart(this.failed.error);
    if (this.lingering.size >= MAX_LINGERING) await Promise.race(this.lingering);
    try {
      const thread = await WorkerThread.start(this.options);
      this.failed = undefined;
      this.threads.add(thread);
      return thread;
    } catch (error) {
      this.failed = { retryAt: performance.now() + RETRY_AFTER_MS, error: error as Error };
      this.options.warn('the threads that render templates cannot be started', error);
      throw cannotStart(error);
    }
  }

  private remove(thread: WorkerThread): void {
    this.threads.delete(thread);
    const exited = thread.exited.finally(() => this.lingering.delete(exited));
    this.lingering.add(exited);
  }
}

function cannotStart(cause: unknown): Error {
  return unavailable('templates cannot be rendered, because their worker thread cannot be started', cause);
}
