import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { own, patience } from '@assay/testing';
import { repository } from './repository.js';

export interface ServiceSpec {
  readonly name: string;
  /** Entry relative to the repository, or absolute. */
  readonly entry?: string;
  /** Arguments for `node` in place of `entry`, for a program that is not built. */
  readonly args?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Folder of `<name>.log`, which receives the output of the process. */
  readonly logDir: string;
}

/** Printed once a process listens: `<name> listens on <url> (admin <url>)`. */
const LISTENS = /listens on (https?:\S+) \(admin (https?:\S+)\)/;
const KEY = /^ {2}(\S{20,})$/m;
/** The flags of `npm start` and the container images. */
const NODE_FLAGS = ['--max-semi-space-size=64', '--disable-proto=delete'];
const START_WITHIN_MS = 90_000 * patience;
const MAX_ERROR_TEXT = 4_000;

/** A service of Assay, started as an operator starts it. */
export class ServiceProcess {
  private output = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly name: string,
    readonly baseUrl: string,
    readonly adminUrl: string,
  ) {}

  /** Resolves once the process listens. @throws with its output when it exits before */
  static async start(spec: ServiceSpec): Promise<ServiceProcess> {
    const child = own(
      spawn(process.execPath, [...NODE_FLAGS, ...(spec.args ?? [resolve(repository, spec.entry ?? '')])], {
        cwd: spec.logDir,
        env: { PATH: process.env.PATH, UV_THREADPOOL_SIZE: '14', LOG_LEVEL: 'info', ...spec.environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    const log = createWriteStream(join(spec.logDir, `${spec.name}.log`), { flags: 'a' });
    child.stderr.pipe(log, { end: false });
    child.once('close', () => log.end());
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-MAX_ERROR_TEXT)));
    let output = '';
    const [baseUrl, adminUrl] = await new Promise<[string, string]>((ready, fail) => {
      const timer = setTimeout(
        () => fail(new Error(`${spec.name} does not listen after ${START_WITHIN_MS} ms: ${output}${errors}`)),
        START_WITHIN_MS,
      );
      child.stdout.on('data', (chunk: Buffer) => {
        log.write(chunk);
        output += chunk.toString();
        const match = LISTENS.exec(output);
        if (match) {
          clearTimeout(timer);
          ready([match[1]!, match[2]!]);
        }
      });
      child.once('close', (code, signal) => {
        clearTimeout(timer);
        fail(new Error(`${spec.name} ended with ${code ?? signal} before it listened: ${output}${errors}`));
      });
    });
    const service = new ServiceProcess(child, spec.name, baseUrl, adminUrl);
    service.output = output;
    return service;
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** The API key that a first start prints; undefined on later starts. */
  get printedKey(): string | undefined {
    return KEY.exec(this.output)?.[1];
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Sends the signal, waits until the process has exited and returns its exit code. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    if (!this.running) return this.child.exitCode;
    const exited = once(this.child, 'exit');
    this.child.kill(signal);
    await exited;
    return this.child.exitCode;
  }
}
