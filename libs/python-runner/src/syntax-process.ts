import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { Socket } from 'node:net';
import { join } from 'node:path';

/** What a process has found out about a source. */
export interface SyntaxFinding {
  /** Why it does not compile; absent when it does. */
  readonly message?: string;
  readonly line?: number | null;
  /** Why it is not known: the limit of CPU time was reached, or something else has ended the check. */
  readonly unchecked?: 'cpu' | 'killed';
}

/** There is no Python here, or none that the check can use; another start would end the same way. */
export class PythonMissing extends Error {}

const PROGRAM = join(__dirname, '../harness/check_syntax.py');
const FLAGS = ['-I', '-B', '-S', '-X', 'utf8', '-W', 'ignore'];
/** Wall time: 20 times the CPU time of a check, for machines that are busy. */
const TIMEOUT_MS = 20_000;
const MAX_RESPONSE = 16_384;
const KILLED: SyntaxFinding = { unchecked: 'killed' };
const MISSING_CODES = ['ENOENT', 'EACCES', 'ENOTDIR'];

/** A process that compiles sources, one at a time. */
export class SyntaxProcess {
  #text = '';
  #hasEnded = false;
  #failure: Error | undefined;
  #onChange = () => {};

  private constructor(private readonly child: ChildProcessWithoutNullStreams) {
    // A process that waits for a source does not keep this one alive.
    child.unref();
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      if (stream instanceof Socket) stream.unref();
      stream.on('error', () => this.kill());
    }
    child.stderr.resume();
    child.stdout.on('data', (chunk: Buffer) => {
      this.#text += chunk.toString('latin1');
      if (this.#text.length > MAX_RESPONSE) this.kill();
      this.#onChange();
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (MISSING_CODES.includes(error.code ?? '')) this.#failure = new PythonMissing(error.code);
      this.#end();
    });
    child.once('close', (code) => {
      if (code !== null) this.#failure ??= new PythonMissing('the process has ended');
      this.#end();
    });
  }

  /**
   * Starts a process and waits until it is ready. Returns `undefined` when this machine cannot start it now.
   * @throws PythonMissing
   */
  static async start([program = '', ...first]: readonly string[]): Promise<SyntaxProcess | undefined> {
    const started = new SyntaxProcess(spawn(program, [...first, ...FLAGS, PROGRAM], { cwd: '/' }));
    if ((await started.#nextLine()) === 'ready') return started;
    started.kill();
    if (started.#failure) throw started.#failure;
    return undefined;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Compiles a source. The process ends when that takes too long. */
  async check(source: string): Promise<SyntaxFinding> {
    const bytes = Buffer.from(source, 'utf8');
    const header = Buffer.alloc(4);
    header.writeUInt32BE(bytes.length);
    this.child.stdin.write(Buffer.concat([header, bytes]));
    const finding = findingIn(await this.#nextLine());
    if (finding === undefined) this.kill();
    return finding ?? KILLED;
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  #end(): void {
    this.#hasEnded = true;
    this.#onChange();
  }

  /** Returns `undefined` when the process ends, or writes nothing in time. */
  #nextLine(): Promise<string | undefined> {
    return new Promise((resolve) => {
      const settle = (line: string | undefined) => {
        clearTimeout(timer);
        this.#onChange = () => {};
        resolve(line);
      };
      this.#onChange = () => {
        const end = this.#text.indexOf('\n');
        const line = end < 0 ? undefined : this.#text.slice(0, end);
        if (line !== undefined) this.#text = this.#text.slice(end + 1);
        if (line !== undefined || this.#hasEnded) settle(line);
      };
      // What has arrived while this process was busy counts: it is read before the check.
      const timer = setTimeout(() => setImmediate(() => settle(undefined)), TIMEOUT_MS);
      this.#onChange();
    });
  }
}

function findingIn(line: string | undefined): SyntaxFinding | undefined {
  try {
    return line === undefined ? undefined : (JSON.parse(line) as SyntaxFinding);
  } catch {
    return undefined;
  }
}
