import { Buffer } from 'node:buffer';
import { availableParallelism, tmpdir } from 'node:os';
import { AppError } from '@assay/errors';
import { FairSlots, usableMemory } from '@assay/runtime';
import type { Frame } from './frames.js';
import { MachineBusy } from './machine-busy.js';
import { notEvaluated, outcomeOf } from './outcome.js';
import { PythonProcess, type PythonProcessOptions } from './python-process.js';
import type {
  PythonCall,
  PythonOutcome,
  PythonRunner,
  PythonRunnerOptions,
  PythonRunnerState,
} from './python-runner.js';
import { missingProtections, type Evaluate } from './self-test.js';
import { makeWorkingFolder, removeWorkingFolder } from './working-folder.js';
import { workerCount } from './worker-count.js';
import { WorkerPool } from './worker-pool.js';

const DEFAULT_MEMORY_BYTES = 256 << 20;
/** An event of 16 MiB, the largest that is stored, and the source of a metric. */
const MAX_JOB_BYTES = 20 << 20;
const MAX_TIMEOUT_MS = 10_000;
const MAX_WAITING_PER_PROJECT = 256;
const MAX_WAIT_MS = 30_000;

/**
 * Starts the processes that evaluate PYTHON metrics, after a self-test of the sandbox. Never rejects: where Python or a protection is
 * missing, the runner's state says why, and every call is `unavailable`; where the machine was too busy for the start, it is `machine_busy`.
 */
export async function startPythonRunner(options: PythonRunnerOptions): Promise<PythonRunner> {
  let folder: string | undefined;
  try {
    folder = await makeWorkingFolder(options.temporaryFolder ?? tmpdir());
    return await startIn(folder, options);
  } catch (error) {
    if (folder !== undefined) await removeWorkingFolder(folder);
    const reason = error instanceof Error ? error.message : String(error);
    const isBusy = error instanceof MachineBusy;
    options.log.warn(isBusy ? 'PYTHON metrics wait, the machine is too busy' : 'PYTHON metrics are refused', {
      reason,
    });
    return refuseAll(`PYTHON metrics cannot be evaluated: ${reason}`, isBusy);
  }
}

async function startIn(folder: string, options: PythonRunnerOptions): Promise<PythonRunner> {
  const { command = ['python3'], memoryBytes = DEFAULT_MEMORY_BYTES, log } = options;
  const size = options.workers ?? workerCount(availableParallelism(), usableMemory());
  const { startTimeoutMs } = options;
  const settings = { command, folder, memoryBytes, maxTimeoutMs: MAX_TIMEOUT_MS, startTimeoutMs };
  const start = () => startTested(settings);
  const first = await start();
  const { libraries, landlock, version } = first.hello;
  log.info('PYTHON metrics are evaluated', {
    version,
    libraries: libraries.join(','),
    landlock,
    workers: size,
  });
  const pool = new WorkerPool({ start, size, maxWaitMs: MAX_WAIT_MS, log }, first);
  return new SandboxedRunner({ available: true, libraries }, pool, size, folder);
}

/** Starts a process and tries to leave its sandbox. */
async function startTested(settings: PythonProcessOptions): Promise<PythonProcess> {
  const process = await PythonProcess.start(settings);
  const evaluate: Evaluate = async (call) =>
    outcomeOf(await process.evaluate(jobOf(call), call.timeoutMs), call);
  try {
    const missing = await missingProtections(evaluate, settings.memoryBytes);
    if (missing.length > 0) throw new Error(`the sandbox is incomplete: ${missing.join(', ')}`);
    return process;
  } catch (error) {
    await process.close();
    throw error;
  }
}

class SandboxedRunner implements PythonRunner {
  readonly #slots: FairSlots;

  constructor(
    readonly state: PythonRunnerState,
    private readonly pool: WorkerPool,
    size: number,
    private readonly folder: string,
  ) {
    const bounds = { maxWaiting: MAX_WAITING_PER_PROJECT, maxWaitMs: MAX_WAIT_MS };
    this.#slots = new FairSlots({ total: size, perProject: size, ...bounds });
  }

  async evaluate(call: PythonCall, signal?: AbortSignal): Promise<PythonOutcome> {
    try {
      return await this.#slots.run(call.projectId, () => this.#evaluateNow(call), signal);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const message = error.code === 'OVERLOADED' ? 'too many evaluations of the project wait' : 'cancelled';
      return notEvaluated('unavailable', message);
    }
  }

  async close(): Promise<void> {
    await this.pool.close();
    await removeWorkingFolder(this.folder);
  }

  async #evaluateNow(call: PythonCall): Promise<PythonOutcome> {
    const job = jobOf(call);
    if (job.length > MAX_JOB_BYTES)
      return notEvaluated('unprocessable', 'the event is too large to be evaluated');
    const timeoutMs = Math.max(1, Math.min(Math.ceil(call.timeoutMs), MAX_TIMEOUT_MS));
    const frame = await this.#respond(job, timeoutMs);
    const final = frame && isRepeated(frame) ? await this.#respond(job, timeoutMs) : frame;
    if (final === undefined)
      return notEvaluated('unavailable', 'no Python process is ready, try again later');
    return outcomeOf(final, { ...call, timeoutMs });
  }

  /** Returns `undefined` when no process is ready, or when it ends during the call. */
  async #respond(job: Buffer, timeoutMs: number): Promise<Frame | undefined> {
    const process = await this.pool.acquire();
    if (process === undefined) return undefined;
    try {
      return await process.evaluate(job, timeoutMs);
    } catch {
      return undefined;
    } finally {
      this.pool.release(process);
    }
  }
}

/**
 * A process that was ready and has ended before it read the job has run nothing of the metric. One that stalled may have waited for a
 * core.
 */
function isRepeated({ kind }: Frame): boolean {
  return kind === 'lost' || kind === 'stalled';
}

function jobOf({ source, metricName, returnType, categories, event }: Omit<PythonCall, 'projectId'>): Buffer {
  return Buffer.from(JSON.stringify({ source, metricName, returnType, categories, event }));
}

function refuseAll(reason: string, isBusy: boolean): PythonRunner {
  return {
    state: { available: false, reason, isBusy },
    evaluate: () => Promise.resolve(notEvaluated(isBusy ? 'machine_busy' : 'unavailable', reason)),
    close: () => Promise.resolve(),
  };
}
