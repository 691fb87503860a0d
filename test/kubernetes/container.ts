import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { own } from '@assay/testing';

/** User and group of every image. */
export const IMAGE_USER = 65532;

/** Whom the processes of a container run as. */
export interface ContainerUser {
  readonly uid: number;
  readonly gid: number;
}

/** A container of the chart. */
export interface ContainerSpec {
  /** Names its folders and its log. */
  readonly name: string;
  /** Folder of the image, mounted read-only at `/app`. */
  readonly app: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const CONTAINED = join(__dirname, 'run-contained.sh');
const MAX_OUTPUT = 64 * 1024;

/**
 * Runs containers of the chart as processes of this machine. `dir` receives `<name>.log` and the data folder of each, which a restarted
 * container finds again.
 */
export class ContainerHost {
  /** Containers need root and overlay mounts. Without them the programs run as this user. */
  readonly contains: boolean;
  private started = 0;

  constructor(
    private readonly dir: string,
    private readonly user: ContainerUser = { uid: IMAGE_USER, gid: IMAGE_USER },
  ) {
    const probe = ['probe', 'probe-app', 'probe-data'].map((name) => join(dir, name));
    for (const folder of probe) mkdirSync(folder);
    this.contains =
      process.getuid?.() === 0 && spawnSync(CONTAINED, [this.identity, ...probe, 'true']).status === 0;
  }

  private get identity(): string {
    return `${this.user.uid}:${this.user.gid}`;
  }

  start({ name, app, command, environment }: ContainerSpec): Container {
    const [scratch, data] = [join(this.dir, `root-${++this.started}`), join(this.dir, `data-${name}`)];
    mkdirSync(scratch);
    if (!existsSync(data)) mkdirSync(data);
    if (this.contains) chownSync(data, this.user.uid, this.user.gid);
    const [program = '', ...args] = this.contains
      ? [CONTAINED, this.identity, scratch, app, data, ...command]
      : command;
    const nodeFolder = dirname(process.execPath);
    const env = this.contains
      ? { ...environment, PATH: `${environment.PATH}:${nodeFolder}` }
      : {
          ...environment,
          ...(environment.ASSAY_DATA_DIR && { ASSAY_DATA_DIR: data }),
          PATH: `${join(app, 'bin')}:${nodeFolder}:${process.env.PATH}`,
        };
    const child = own(spawn(program, args, { cwd: app, env, stdio: ['ignore', 'pipe', 'pipe'] }));
    return new Container(name, child, join(this.dir, `${name}.log`));
  }
}

/** A container that runs, or has ended. */
export class Container {
  private output = '';

  constructor(
    readonly name: string,
    private readonly child: ChildProcess,
    log: string,
  ) {
    const file = createWriteStream(log, { flags: 'a' });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        file.write(chunk);
        this.output = (this.output + chunk.toString()).slice(-MAX_OUTPUT);
      });
    child.once('close', (code) => {
      file.end();
      if (code) process.stderr.write(`${name} ended with ${code}: ${this.output}\n`);
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The end of what it has printed. */
  get printed(): string {
    return this.output;
  }

  /** Resolves with the exit code once it has ended; null after a signal. */
  async ended(): Promise<number | null> {
    if (this.running) await once(this.child, 'close');
    return this.child.exitCode;
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    if (this.running) this.child.kill(signal);
    return this.ended();
  }
}
