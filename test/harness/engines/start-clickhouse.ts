import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testProgramArgs } from '../processes/test-program.js';
import { engineModule } from './clickhouse-front/engine-wheels.js';
import { EngineProcess } from './engine-process.js';

const FRONT = testProgramArgs('harness/engines/clickhouse-front/main.ts');
const LISTENING = /^listening (\d+)$/m;
/** Several engines start beside each other on a busy machine. */
const START_WITHIN_MS = 120_000;

/** ClickHouse's HTTP interface on loopback, see clickhouse-front/. */
export interface ClickHouse {
  readonly url: string;
  readonly pid: number;
  /** Ends the process, and removes its data unless the caller chose the folder. Idempotent. */
  stop(): Promise<void>;
}

export interface ClickHouseOptions {
  /** Folder for its data; absent: a temporary folder that stop() removes. */
  readonly dir?: string;
  /** Such as `25.8`; absent: the variable CLICKHOUSE_ENGINE, or else the engine that the product embeds. */
  readonly version?: string;
  /** Configuration file of a server: users, profiles and clusters. */
  readonly config?: string;
}

/** Starts ClickHouse on a free port with no data. */
export async function startClickHouse(options: ClickHouseOptions = {}): Promise<ClickHouse> {
  const version = options.version ?? process.env['CLICKHOUSE_ENGINE'];
  const engineArgs = [
    ...(version ? ['--module', await engineModule(version)] : []),
    ...(options.config === undefined ? [] : ['--config', options.config]),
  ];
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'assay-clickhouse-'));
  const engine = await EngineProcess.start({
    name: 'the ClickHouse front',
    file: process.execPath,
    args: [...FRONT, '--dir', dir, '--port', '0', ...engineArgs],
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
