import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { own, patience } from '@assay/testing';

export interface EngineCommand {
  /** Used in errors. */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  /** Milliseconds, longer by the patience of tests. */
  readonly startWithinMs: number;
  /** Whether the engine is ready; `output` is the end of what it has printed. MUST NOT reject. */
  readonly isReady: (output: string) => Promise<boolean>;
}

/** Characters of output to keep for the error of an engine that does not start. */
const KEPT_OUTPUT = 8_192;
/** Interval of the readiness check. */
const POLL_INTERVAL_MS = 25;

/** A process of an engine. It ends together with this process at the latest. */
export class EngineProcess {
  private output = '';

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on(
        'data',
        (chunk: Buffer) => (this.output = (this.output + chunk.toString()).slice(-KEPT_OUTPUT)),
      );
    }
  }

  /** Resolves once the engine is ready. @throws Error with the end of its output when it exits before, or takes too long */
  static async start(command: EngineCommand): Promise<EngineProcess> {
    const child = own(spawn(command.file, command.args, { stdio: ['ignore', 'pipe', 'pipe'] }));
    child.once('error', () => undefined);
    const engine = new EngineProcess(child);
    const deadline = Date.now() + command.startWithinMs * patience;
    while (!(engine.running && (await command.isReady(engine.output)))) {
      if (!engine.running || Date.now() > deadline) {
        await engine.end('SIGKILL');
        throw new Error(`${command.name} has not started: ${engine.output}`);
      }
      await pause(POLL_INTERVAL_MS);
    }
    return engine;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get printed(): string {
    return this.output;
  }

  get running(): boolean {
    return this.child.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Sends the signal and waits until the process has exited. Does nothing when it has. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.running) return;
    const exited = once(this.child, 'exit');
    this.child.kill(signal);
    await exited;
  }
}
