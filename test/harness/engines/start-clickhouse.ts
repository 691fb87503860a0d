import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testProgramArgs } from '../processes/test-program.js';
import { EngineProcess } from './engine-process.js';

const FRONT = testProgramArgs('harness/engines/clickhouse-front/main.ts');
const LISTENING = /^listening (\d+)$/m;
const START_WITHIN_MS = 60_000;

/** ClickHouse's HTTP interface on loopback, see clickhouse-front/. */
export interface ClickHouse {
  readonly url: string;
  readonly pid: number;
  /** Ends the process, and removes its data unless the caller chose the folder. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts ClickHouse on a free port with no data.
 * @param options.dir folder for its data; absent: a temporary folder that stop() removes
 */
export async function startClickHouse(options: { readonly dir?: string } = {}): Promise<ClickHouse> {
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'assay-clickhouse-'));
  const engine = await EngineProcess.start({
    name: 'the ClickHouse front',
    file: process.execPath,
    args: [...FRONT, '--dir', dir, '--port', '0'],
    startWithinMs: START_WITHIN_MS,
    isReady: (output) => Promise.resolve(LISTENING.test(output)),
  });
  const [, port] = LISTENING.exec(engine.printed) ?? [];
  const stop = async () => {
    await engine.end('SIGKILL');
    if (options.dir === undefined) rmSync(dir, { recursive: true, force: true });
  };
  return { url: `http://127.0.0.1:${port}`, pid: engine.pid, stop };
}
