import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { own } from '@assay/testing';

export interface EngineCommand {
  /** Named in errors. */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly startWithinMs: number;
  /** Whether the engine can be used now; `output` is what it has printed lately. MUST NOT reject. */
  readonly isReady: (output: string) => Promise<boolean>;
}

/** Characters of the output that are kept, for the error of an engine that does not start. */
const KEPT_OUTPUT = 8_192;
/** Between two looks at whether the engine is ready. */
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

  /** Resolves once the engine is ready. @throws Error with its last words when it ends before, or takes too long */
  static async start(command: EngineCommand): Promise<EngineProcess> {
    const child = own(spawn(command.file, command.args, { stdio: ['ignore', 'pipe', 'pipe'] }));
    child.once('error', () => undefined);
    const engine = new EngineProcess(child);
    const deadline = Date.now() + command.startWithinMs;
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

  /** Sends the signal and waits until the process is gone. Does nothing when it is. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.running) return;
    const gone = once(this.child, 'exit');
    this.child.kill(signal);
    await gone;
  }
}
