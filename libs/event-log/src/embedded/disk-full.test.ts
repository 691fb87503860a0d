import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { promisify } from 'node:util';
import { silentLogger } from '@assay/testing';
import type { ConsumedRecord } from '../event-log.js';
import { openEmbeddedEventLog } from './embedded-event-log.js';

const run = promisify(execFile);

interface ChildResponse {
  readonly appended: number;
  readonly end: number;
  readonly code?: string;
}

const PROGRAM = join(__dirname, '../../test/append-on-demand.cjs');

describe('the embedded log on a full disk', () => {
  let dir: string;
  let child: ChildProcess;
  let lines: AsyncIterator<string>;
  let input: Interface;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'assay-full-'));
    child = spawn(process.execPath, [PROGRAM, dir], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    if (child.stdout === null) throw new Error('the child has no output');
    input = createInterface({ input: child.stdout });
    lines = input[Symbol.asyncIterator]();
    await lines.next();
  });

  afterEach(async () => {
    child.kill('SIGKILL');
    input.close();
    await rm(dir, { recursive: true, force: true });
  });

  const append = async (kilobytes: number): Promise<ChildResponse> => {
    child.stdin?.write(`${kilobytes}\n`);
    return JSON.parse(String((await lines.next()).value)) as ChildResponse;
  };
  const allowFileSize = (bytes: number | 'unlimited') =>
    run('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:unlimited`]);

  it('rejects appends on a full disk, keeps acknowledged records, and accepts appends after space is freed without a restart', async () => {
    const acknowledged: number[] = [];
    const note = (response: ChildResponse) =>
      response.code === undefined ? acknowledged.push(response.appended) : 0;
    for (let index = 0; index < 5; index += 1) note(await append(100));
    await allowFileSize((await stat(join(dir, 'records', '0000000001.log'))).size + 256 * 1024);
    const codes = new Set<string>();
    for (let index = 0; index < 10; index += 1) {
      const response = await append(100);
      note(response);
      if (response.code !== undefined) codes.add(response.code);
      expect(response.end).toBe(acknowledged.length);
    }
    expect([...codes]).toEqual(['UNAVAILABLE']);

    await allowFileSize('unlimited');
    for (let index = 0; index < 5; index += 1) note(await append(100));
    expect(acknowledged.at(-1)).toBe(19);

    child.stdin?.end();
    await new Promise((resolve) => child.once('exit', resolve));
    expect(await readKeys(dir, acknowledged.length)).toEqual(acknowledged.map(String));
  });
});

async function readKeys(dir: string, count: number): Promise<string[]> {
  const log = await openEmbeddedEventLog({ dir, logger: silentLogger });
  const keys: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const onBatch = (batch: readonly ConsumedRecord[]) => {
      keys.push(...batch.map(({ key }) => key));
      if (keys.length >= count) resolve();
      return Promise.resolve();
    };
    log.read({ group: 'g', maxRecords: 100, maxBytes: 1_000_000, lingerMs: 0, onBatch }).catch(reject);
  });
  await log.close();
  return keys;
}
