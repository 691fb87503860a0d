import { Worker } from 'node:worker_threads';
import type {
  BatchDone,
  JobBatch,
  JobOutcome,
  TemplateJob,
  WorkerReady,
  WorkerSettings,
} from './messages.js';
import { cpuOfThread } from './thread-cpu.js';

export interface ThreadOptions {
  /** File of the worker's program. */
  readonly program: string;
  /** Heap of a thread, in megabytes: above it the thread ends. */
  readonly maxHeapMegabytes: number;
  /** CPU time after which a job is stopped from outside, in milliseconds: it did not notice its own limit. */
  readonly maxCpuMs: number;
  /** Wall-clock time after which a job is stopped, in milliseconds. */
  readonly maxWallMs: number;
}

/** The job that a look finds running, and what the clocks say. */
interface SeenJob {
  readonly batch: number;
  readonly begun: number;
  readonly at: number;
  readonly cpuMs: number | undefined;
}

/** Why a thread ended during a batch: its heap, the CPU or wall-clock time of a job, or for no reason of this process. */
export type StopReason = 'memory' | 'cpu' | 'wall' | 'exit';

export interface BatchResult {
  /** Outcomes of the first jobs; further ones have not run. */
  readonly outcomes: readonly JobOutcome[];
  /** Why the thread has ended; absent while it can take another batch. */
  readonly stopped?: StopReason;
  /** Index of the job that ran when the thread ended; absent when none had begun. */
  readonly runningJob?: number;
}

const START_WITHIN_MS = 10_000;
const WATCH_INTERVAL_MS = 100;
const YOUNG_GENERATION_MEGABYTES = 32;
const STACK_MEGABYTES = 4;
/** A batch of other projects waits at most this long and one rendering for its turn. */
const SLICE_MS = 10;
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

/** A worker thread that parses and renders templates, one batch at a time. */
export class WorkerThread {
  private finish: ((result: BatchResult) => void) | undefined;
  /** Set while the thread has been busy at the last look: a timer and references for each batch would cost more than a small rendering. */
  private watching: NodeJS.Timeout | undefined;
  private seen: SeenJob | undefined;
  private batch = 0;
  private ended = false;
  readonly exited: Promise<void>;

  private constructor(
    private readonly worker: Worker,
    private readonly begun: Int32Array,
    private readonly options: ThreadOptions,
    private readonly osThreadId: number | undefined,
  ) {
    this.exited = new Promise((resolve) => worker.once('exit', () => resolve()));
    worker.on('message', (done: BatchDone) => this.end(done));
    worker.on('error', (error: NodeJS.ErrnoException) =>
      this.stopped(error.code === OUT_OF_MEMORY ? 'memory' : 'exit'),
    );
    worker.once('exit', () => this.stopped('exit'));
  }

  /** Resolves when the thread can take a batch. @throws Error when it cannot be started */
  static async start(options: ThreadOptions): Promise<WorkerThread> {
    const begun = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const worker = new Worker(options.program, {
      workerData: { begun, sliceMs: SLICE_MS } satisfies WorkerSettings,
      env: {},
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: options.maxHeapMegabytes,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MEGABYTES,
        stackSizeMb: STACK_MEGABYTES,
      },
    });
    const { osThreadId } = await readiness(worker);
    worker.unref();
    return new WorkerThread(worker, begun, options, osThreadId);
  }

  /** Whether the thread can take another batch. */
  get isAlive(): boolean {
    return !this.ended;
  }

  /** Whether the CPU time of the thread can be read from outside. */
  get hasCpuTime(): boolean {
    return this.cpuMs() !== undefined;
  }

  /** Runs jobs until they are done, their time is over or the thread ends; never rejects. */
  run(jobs: readonly TemplateJob[]): Promise<BatchResult> {
    if (this.ended) return Promise.resolve({ outcomes: [], stopped: 'exit' });
    Atomics.store(this.begun, 0, 0);
    this.batch++;
    this.watching ??= this.watch();
    return new Promise((resolve) => {
      this.finish = resolve;
      this.worker.postMessage({ jobs } satisfies JobBatch);
    });
  }

  /** Ends the thread, also during a batch. Resolves when it has exited. */
  async terminate(): Promise<void> {
    this.ended = true;
    this.rest();
    await this.worker.terminate();
  }

  /** Looks regularly whether the same job has run for too long since it was first seen, until a look finds none. */
  private watch(): NodeJS.Timeout {
    this.worker.ref();
    return setInterval(() => {
      if (this.finish === undefined) return this.rest();
      const { seen, batch } = this;
      const now = { batch, begun: Atomics.load(this.begun, 0), at: performance.now(), cpuMs: this.cpuMs() };
      if (seen?.batch !== now.batch || seen.begun !== now.begun) this.seen = now;
      else if ((now.cpuMs ?? 0) - (seen.cpuMs ?? 0) > this.options.maxCpuMs) this.stop('cpu');
      else if (now.at - seen.at > this.options.maxWallMs) this.stop('wall');
    }, WATCH_INTERVAL_MS);
  }

  /** Lets the process end while the thread has nothing to do. */
  private rest(): void {
    clearInterval(this.watching);
    this.watching = undefined;
    this.seen = undefined;
    if (!this.ended) this.worker.unref();
  }

  private cpuMs(): number | undefined {
    return this.osThreadId === undefined ? undefined : cpuOfThread(this.osThreadId);
  }

  private stop(reason: StopReason): void {
    this.stopped(reason);
    void this.worker.terminate();
  }

  private stopped(reason: StopReason): void {
    this.ended = true;
    const begun = Atomics.load(this.begun, 0);
    this.end({ outcomes: [], stopped: reason, ...(begun > 0 && { runningJob: begun - 1 }) });
  }

  private end(result: BatchResult): void {
    const { finish } = this;
    this.finish = undefined;
    if (this.ended) this.rest();
    finish?.(result);
  }
}

function readiness(worker: Worker): Promise<WorkerReady> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      worker.off('message', onReady).off('error', fail).off('exit', onExit);
    };
    const onReady = (ready: WorkerReady) => {
      leave();
      resolve(ready);
    };
    const fail = (error: Error) => {
      leave();
      reject(error);
      void worker.terminate();
    };
    const onExit = (code: number) => fail(new Error(`exited with ${code} before it was ready`));
    const onTimeout = () => fail(new Error(`not ready after ${START_WITHIN_MS} ms`));
    const timer = setTimeout(onTimeout, START_WITHIN_MS);
    worker.on('message', onReady).on('error', fail).on('exit', onExit);
  });
}
