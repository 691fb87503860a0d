import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { own } from '@assay/testing';
import { repository } from '../../stack/repository.js';
import type { EngineLibrary, StatementGroup } from './engine-library.js';

const PROGRAM = join(repository, 'test/harness/engines/clickhouse-front/library.py');
/** `SET name = …, name = …` without values. */
const SET_NAME = /(?:^SET |, )([a-z]\w*) = /g;
/** The libraries before 26.9 never empty their queue of dropped tables, and a DROP with SYNC waits for it without an end. */
const SYNC_OF_DROP = /(?<=^DROP (?:TABLE|DATABASE) [^']*) SYNC$/;

interface Waiting {
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: Error) => void;
}

/** An engine of another version, out of a Python wheel, in a child process. Groups run one after the other. */
export class PythonLibrary implements EngineLibrary {
  readonly #child: ChildProcess;
  readonly #waiting: Waiting[] = [];
  /** The database and the settings of the last group. */
  #context: readonly string[] = [];
  #received = Buffer.alloc(0);

  private constructor(child: ChildProcess) {
    this.#child = child;
    (child.stdio[3] as Readable).on('data', (chunk: Buffer) => this.#receive(chunk));
    child.once('exit', () => this.#fail(new Error('the engine has ended')));
  }

  /** @param module file of the wheel's native module */
  static async open(module: string, dir: string, config?: string): Promise<PythonLibrary> {
    const stdio = ['pipe', 'inherit', 'inherit', 'pipe'] as const;
    const folder = config === undefined ? dir : `${dir}?config-file=${config}`;
    const library = new PythonLibrary(
      own(spawn('python3', [PROGRAM, module, folder], { stdio: [...stdio] })),
    );
    await library.run({ before: [], sql: 'SELECT 1' });
    return library;
  }

  /** Without `readonly`: an engine that keeps its connection could not leave it again. */
  run({ before, sql, format = 'TabSeparated' }: StatementGroup): Promise<Uint8Array> {
    const set = before.map(withoutReadonly).filter((statement) => statement !== 'SET ');
    const isBinding = (statement: string) => statement.startsWith('SET param_');
    const bindings = set.filter(isBinding);
    const context = set.filter((statement) => !isBinding(statement));
    const response = new Promise<Buffer>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    const statement = sql.replace(SYNC_OF_DROP, '');
    const request = { before: [...this.#change(context), ...bindings], sql: statement, format };
    this.#child.stdin?.write(`${JSON.stringify(request)}\n`);
    return response;
  }

  /** Statements from the database and settings of the group before to these: most groups have the same. */
  #change(context: readonly string[]): string[] {
    if (context.join() === this.#context.join()) return [];
    const names = this.#context.flatMap((statement) =>
      [...statement.matchAll(SET_NAME)].map(([, name]) => name),
    );
    this.#context = context;
    const defaults = names.map((name) => `${name} = DEFAULT`).join(', ');
    return ['USE default', ...(defaults === '' ? [] : [`SET ${defaults}`]), ...context];
  }

  async close(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await exited;
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const end = this.#received.indexOf('\n');
      if (end === -1) return;
      const head = JSON.parse(this.#received.subarray(0, end).toString()) as {
        bytes?: number;
        error?: string;
      };
      const next = end + 1 + (head.bytes ?? 0);
      if (this.#received.length < next) return;
      const bytes = Buffer.from(this.#received.subarray(end + 1, next));
      this.#received = this.#received.subarray(next);
      const waiting = this.#waiting.shift();
      if (head.error === undefined) waiting?.resolve(bytes);
      else waiting?.reject(new Error(head.error));
    }
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

function withoutReadonly(statement: string): string {
  return statement.replace(/(?<=^SET |, )readonly = [^,]+(?:, |$)/, '').replace(/, $/, '');
}
