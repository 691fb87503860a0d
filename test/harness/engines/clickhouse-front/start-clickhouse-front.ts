import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A running front. */
export interface ClickHouseFront {
  readonly url: string;
  readonly pid: number;
  /** Ends the process; what the front made itself is removed. Idempotent. */
  stop(): Promise<void>;
}

export interface FrontPlace {
  /** Folder of the data, kept when the front stops; absent: one of its own, removed then. */
  readonly dir?: string;
  /** Absent: any free one. */
  readonly port?: number;
}

/** Starts the front from its compiled files. @throws Error when it ends before it listens */
export async function startClickHouseFront({ dir, port = 0 }: FrontPlace = {}): Promise<ClickHouseFront> {
  const data = dir ?? mkdtempSync(join(tmpdir(), 'assay-clickhouse-'));
  const child = spawn(process.execPath, [join(__dirname, 'main.js'), '--dir', data, '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const listening = await listeningPort(child);
  return {
    url: `http://127.0.0.1:${listening}`,
    pid: child.pid ?? 0,
    stop: async () => {
      await end(child);
      if (dir === undefined) rmSync(data, { recursive: true, force: true });
    },
  };
}

async function listeningPort(child: ChildProcess & { stdout: NodeJS.ReadableStream }): Promise<number> {
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /^listening (\d+)$/.exec(line)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error('the front ended before it listened');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
