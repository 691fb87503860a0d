import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { FrameReader, lastResortMs, requestHeader, type Frame } from './frames.js';
import { MachineBusy } from './machine-busy.js';

export interface PythonProcessOptions {
  readonly command: readonly string[];
  /** Empty working folder of the metrics. */
  readonly folder: string;
  readonly memoryBytes: number;
  readonly maxTimeoutMs: number;
  /** Time in which it has to be ready, in milliseconds; a minute when absent. */
  readonly startTimeoutMs?: number | undefined;
}

/** What the fork server states about itself when it is ready. */
export interface Hello {
  readonly libraries: readonly string[];
  readonly landlock: boolean;
  readonly version: string;
  readonly pid: number;
}

/** The fork server cannot evaluate metrics here; a further start would end the same way. */
export class PythonRefusal extends Error {}

const HARNESS = join(__dirname, '../harness/main.py');
const FLAGS = ['-I', '-B', '-X', 'utf8', '-W', 'ignore'];
const START_TIMEOUT_MS = 60_000;
const CLOSE_TIMEOUT_MS = 2_000;
/** Beyond the last resort of a call, before the fork server itself is killed. */
const GUARD_MS = 150;
/** Time to read an event, which is not part of the limit; `serve.py` allows the same. */
const READING_MS = 2_000;
const MAX_DIAGNOSIS_BYTES = 2_000;
/** Reasons of the operating system not to start a program that it may start later. */
const BUSY_CODES: ReadonlySet<string | undefined> = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']);

interface Waiting {
  readonly resolve: (frame: Frame) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** One fork server, which evaluates one call at a time. */
export class PythonProcess {
  readonly #child: ChildProcess;
  readonly #reader = new FrameReader();
  #waiting: Waiting | undefined;
  #diagnosis = '';
  #hello: Hello | undefined;
  #hasEnded = false;
  #isLate = false;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;

  private constructor({ command, folder, memoryBytes, maxTimeoutMs }: PythonProcessOptions) {
    const settings = { folder, memoryBytes, maxSeconds: Math.ceil(maxTimeoutMs / 1000) };
    const [program = '', ...first] = command;
    // A group of its own, so that one signal ends the command and everything that it started.
    this.#child = spawn(program, [...first, ...FLAGS, HARNESS, JSON.stringify(settings)], { detached: true });
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#diagnosis = `${this.#diagnosis}${chunk.toString('utf8')}`.slice(-MAX_DIAGNOSIS_BYTES);
    });
    this.#child.stdin?.on('error', () => this.kill());
    this.ended = new Promise((resolve) => {
      const end = (failure: Error) => {
        this.#hasEnded = true;
        this.#settle()?.reject(failure);
        resolve();
      };
      this.#child.once('error', (error: NodeJS.ErrnoException) => end(startFailure(program, error)));
      this.#child.once('close', () => end(this.#endOfProcess()));
    });
  }

  /**
   * Starts a fork server and waits until its libraries are loaded.
   * @throws PythonRefusal when the sandbox cannot be set up on this machine, MachineBusy when a later start may succeed; another error
   * when the command cannot be run
   */
  static async start(options: PythonProcessOptions): Promise<PythonProcess> {
    const process = new PythonProcess(options);
    try {
      const frame = await process.#next(options.startTimeoutMs ?? START_TIMEOUT_MS);
      const text = frame.outcome.toString('utf8');
      if (frame.kind !== 'ready') throw new PythonRefusal(text);
      process.#hello = JSON.parse(text) as Hello;
      return process;
    } catch (error) {
      process.kill();
      throw error;
    }
  }

  get hello(): Hello {
    if (this.#hello === undefined) throw new Error('the process is not ready');
    return this.#hello;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /**
   * Evaluates one job. The process is killed when it does not respond in time.
   * @throws when the process ends
   */
  evaluate(job: Buffer, timeoutMs: number): Promise<Frame> {
    const frame = this.#next(lastResortMs(timeoutMs) + GUARD_MS + READING_MS);
    this.#child.stdin?.write(requestHeader(timeoutMs, job.length));
    this.#child.stdin?.write(job);
    return frame;
  }

  /** Lets the process end after the current call, and kills it when it takes too long. */
  async close(): Promise<void> {
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.kill(), CLOSE_TIMEOUT_MS);
    await this.ended;
    clearTimeout(timer);
  }

  kill(): void {
    const { pid } = this.#child;
    if (pid === undefined || this.#hasEnded) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      this.#child.kill('SIGKILL');
    }
  }

  #next(timeoutMs: number): Promise<Frame> {
    if (this.#hasEnded) return Promise.reject(new Error('the Python process has ended'));
    return new Promise((resolve, reject) => {
      // A response that has arrived while this process was busy counts: it is read before the check.
      const check = () => {
        if (this.#waiting !== waiting) return;
        this.#isLate = true;
        this.kill();
      };
      const timer = setTimeout(() => setImmediate(check), timeoutMs);
      const waiting: Waiting = { resolve, reject, timer };
      this.#waiting = waiting;
    });
  }

  #read(chunk: Buffer): void {
    try {
      const frame = this.#reader.add(chunk);
      if (frame) this.#settle()?.resolve(frame);
    } catch {
      this.kill();
    }
  }

  #settle(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    clearTimeout(waiting?.timer);
    return waiting;
  }

  #endOfProcess(): Error {
    if (this.#isLate) return new MachineBusy('the Python process did not respond in time');
    return new Error(this.#diagnosis.trim().split('\n').at(-1) || 'the Python process ended');
  }
}

/** The author of a metric reads it, who may not know the codes of the operating system. */
function startFailure(program: string, { code, name }: NodeJS.ErrnoException): Error {
  const remedy = code === 'ENOENT' ? ': CPython 3.9 or later is not installed, or not in the PATH' : '';
  const reason = `${program} cannot be started (${code ?? name})${remedy}`;
  return BUSY_CODES.has(code) ? new MachineBusy(reason) : new Error(reason);
}
