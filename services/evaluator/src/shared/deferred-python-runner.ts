import type { PythonCall, PythonOutcome, PythonRunner, PythonRunnerState } from '@assay/python-runner';

/**
 * A Python runner that starts with its first call: a process without metrics of type PYTHON needs none, and one that has
 * them accepts requests while it starts.
 */
export class DeferredPythonRunner implements PythonRunner {
  #state: PythonRunnerState = { available: true, libraries: [] };
  #started: Promise<PythonRunner> | undefined;
  #isClosed = false;

  /** @param start never rejects */
  constructor(private readonly start: () => Promise<PythonRunner>) {}

  /** Available until the start has shown otherwise. */
  get state(): PythonRunnerState {
    return this.#state;
  }

  async evaluate(call: PythonCall, signal?: AbortSignal): Promise<PythonOutcome> {
    if (this.#isClosed) return closed();
    this.#started ??= this.start();
    const runner = await this.#started;
    this.#state = runner.state;
    return runner.evaluate(call, signal);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#started)?.close();
  }
}

function closed(): PythonOutcome {
  const error = { code: 'unavailable', message: 'the Python runner is closed' } as const;
  return { ok: false, error, stdout: '', durationMs: 0 };
}
