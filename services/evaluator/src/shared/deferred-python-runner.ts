import {
  startPythonRunner,
  type PythonCall,
  type PythonOutcome,
  type PythonRunner,
  type PythonRunnerState,
} from '@assay/python-runner';
import type { Logger } from '@assay/runtime';

/** Pause after a start for which the machine was too busy, and its limit: each is twice the one before. */
const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 300_000;

export interface DeferredPythonRunnerOptions {
  /** Never rejects. */
  readonly start: () => Promise<PythonRunner>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * A Python runner that starts with its first call: a process without metrics of type PYTHON needs none, and one that has
 * them accepts requests while it starts. Where the machine was too busy for the start, the first call after a pause starts it again.
 */
export class DeferredPythonRunner implements PythonRunner {
  #state: PythonRunnerState = { available: true, libraries: [] };
  #started: Promise<PythonRunner> | undefined;
  /** Starts in a row for which the machine was too busy. */
  #busyStarts = 0;
  /** Unix milliseconds; absent unless the last start has to be repeated. */
  #repeatAt: number | undefined;
  #isClosed = false;

  constructor(private readonly options: DeferredPythonRunnerOptions) {}

  /** Available until the start has shown otherwise. */
  get state(): PythonRunnerState {
    return this.#state;
  }

  async evaluate(call: PythonCall, signal?: AbortSignal): Promise<PythonOutcome> {
    if (this.#isClosed) return closed();
    if (this.#repeatAt !== undefined && this.options.now() >= this.#repeatAt) this.#started = undefined;
    this.#started ??= this.#start();
    const runner = await this.#started;
    return runner.evaluate(call, signal);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#started)?.close();
  }

  async #start(): Promise<PythonRunner> {
    this.#repeatAt = undefined;
    const runner = await this.options.start();
    this.#state = runner.state;
    if (!runner.state.available && runner.state.isBusy)
      this.#repeatAt =
        this.options.now() + Math.min(FIRST_PAUSE_MS * 2 ** Math.min(this.#busyStarts++, 10), MAX_PAUSE_MS);
    return runner;
  }
}

/** Returns the Python runner of a process with these settings. */
export function deferredPythonRunner(
  { pythonExecutable }: { readonly pythonExecutable: string },
  log: Logger,
): DeferredPythonRunner {
  const start = () => startPythonRunner({ command: [pythonExecutable], log });
  return new DeferredPythonRunner({ start, now: Date.now });
}

function closed(): PythonOutcome {
  const error = { code: 'unavailable', message: 'the Python runner is closed' } as const;
  return { ok: false, error, stdout: '', durationMs: 0 };
}
