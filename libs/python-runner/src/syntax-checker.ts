import { AppError, unavailable } from '@assay/errors';
import { FairSlots } from '@assay/runtime';
import { PythonMissing, SyntaxProcess } from './syntax-process.js';

/** Why a source does not compile. */
export interface SyntaxMistake {
  /** In the words of CPython; may quote the source. At most 500 characters. */
  readonly message: string;
  /** Line of the source, from 1. */
  readonly line?: number;
}

export interface SyntaxCheckerOptions {
  /** Program and arguments that start CPython 3.9 or later; `['python3']` when absent. */
  readonly command?: readonly string[];
}

/** Compiles the sources of metrics, without running them. */
export interface SyntaxChecker {
  /**
   * Returns the first mistake of a source; undefined when it compiles, and where Python is missing.
   * @throws AppError `OVERLOADED` or `UNAVAILABLE` when it is not known whether the source compiles: too many checks of the project wait,
   * compiling takes more than 1 s of CPU, or the checks of the project are paused because of that
   */
  check(projectId: string, source: string): Promise<SyntaxMistake | undefined>;
  /** Ends the processes. Later checks are rejected. Idempotent. */
  close(): void;
}

/** Each slot has a process. A project that sends sources which take long leaves a slot to the others. */
const SLOTS = { total: 2, perProject: 1, maxWaiting: 50, maxWaitMs: 10_000 };
/** Of a project with a source that could not be compiled in time. */
const PAUSE_MS = 60_000;
/** After a start that has found no Python. */
const RETRY_MS = 60_000;

/** Returns a checker, whose processes start with the first checks. */
export function createSyntaxChecker({ command = ['python3'] }: SyntaxCheckerOptions = {}): SyntaxChecker {
  const slots = new FairSlots(SLOTS);
  const idle: SyntaxProcess[] = [];
  const running = new Set<SyntaxProcess>();
  const pauses = new CheckPauses();
  let missingUntil = 0;
  let isClosed = false;

  const acquire = async (): Promise<SyntaxProcess> => {
    for (let process = idle.pop(); process !== undefined; process = idle.pop())
      if (!process.hasEnded) return process;
    const started = await SyntaxProcess.start(command);
    if (started !== undefined) return started;
    throw unavailable('the code of the metric cannot be checked now, send the request again later');
  };

  const compile = async (projectId: string, source: string): Promise<SyntaxMistake | undefined> => {
    const process = await acquire();
    running.add(process);
    const finding = await process.check(source);
    running.delete(process);
    if (!process.hasEnded) idle.push(process);
    if (finding.unchecked === 'cpu') throw pauses.begin(projectId);
    if (finding.unchecked)
      throw unavailable('the check of the code of the metric was interrupted, send the request again later');
    return finding.message === undefined ? undefined : toMistake(finding.message, finding.line);
  };

  const checkNow = async (projectId: string, source: string): Promise<SyntaxMistake | undefined> => {
    if (isClosed) throw unavailable('the process is stopping, send the request again later');
    if (performance.now() < missingUntil) return undefined;
    pauses.assertNone(projectId);
    try {
      return await compile(projectId, source);
    } catch (error) {
      if (!(error instanceof PythonMissing)) throw error;
      missingUntil = performance.now() + RETRY_MS;
      return undefined;
    }
  };

  return {
    check: (projectId, source) => slots.run(projectId, () => checkNow(projectId, source)),
    close: () => {
      isClosed = true;
      for (const process of [...running, ...idle.splice(0)]) process.kill();
    },
  };
}

/** Projects whose checks are paused. */
class CheckPauses {
  /** The end of each pause. There are at most two new ones in a second, because each took a second of CPU. */
  readonly #ends = new Map<string, number>();

  /** Pauses a project. Returns the reason. */
  begin(projectId: string): AppError {
    const now = performance.now();
    for (const [id, end] of this.#ends) if (end <= now) this.#ends.delete(id);
    this.#ends.set(projectId, now + PAUSE_MS);
    return paused('compiling the code of the metric takes more than 1 s of CPU: simplify it', PAUSE_MS);
  }

  /** @throws AppError `UNAVAILABLE` while the project is paused */
  assertNone(projectId: string): void {
    const leftMs = (this.#ends.get(projectId) ?? 0) - performance.now();
    if (leftMs > 0) throw paused('compiling an earlier metric took more than 1 s of CPU', leftMs);
  }
}

function paused(reason: string, leftMs: number): AppError {
  const retryAfterSeconds = Math.ceil(leftMs / 1_000);
  const message = `${reason}; metrics of type PYTHON of this project can be changed again in ${retryAfterSeconds} s`;
  return new AppError('UNAVAILABLE', message, { details: { retryAfterSeconds } });
}

function toMistake(message: string, line: number | null | undefined): SyntaxMistake {
  return { message, ...(typeof line === 'number' && line > 0 && { line }) };
}
