import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { own, waitFor } from '@assay/testing';
import { repository } from '../stack/repository.js';

const CONFIG = 'libs/tooling/jest/embedded.config.cjs';
/** Folder for those of the test files that run. */
const parent = mkdtempSync(join(tmpdir(), 'assay-parent-'));

/**
 * Runs jest on a fixture whose test fails while the product runs; resolves when it has printed the product's process id and the folder of the
 * test file.
 */
async function startFailingTest() {
  const jest = own(
    spawn(
      process.execPath,
      [
        'node_modules/jest/bin/jest.js',
        '--config',
        CONFIG,
        '--runInBand',
        '--testMatch',
        '**/failing-test.fixture.ts',
      ],
      {
        cwd: repository,
        stdio: ['ignore', 'pipe', 'pipe'],
        // jest keeps what it has compiled below TMPDIR: where it is for every run.
        env: { ...process.env, TMPDIR: undefined, JEST_WORKER_ID: undefined, ASSAY_TEST_DIR: parent },
      },
    ),
  );
  let output = '';
  for (const stream of [jest.stdout, jest.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(jest, 'exit');
  const [, pid, folder = ''] = await waitFor(
    'the product runs',
    () => /started (\d+) beside (\S+)\n/.exec(output) ?? undefined,
    { withinMs: 120_000 },
  );
  return { jest, ended, pid: Number(pid), folder, output: () => output };
}

describe('a failing test', () => {
  it('leaves no process behind when jest itself is killed', async () => {
    const { jest, ended, pid, folder } = await startFailingTest();
    jest.kill('SIGKILL');
    await ended;
    await waitFor('the product has ended', () => !existsSync(`/proc/${pid}`));
    expect(dirname(folder)).toBe(parent);
    expect(existsSync(folder)).toBe(true);
  });

  it('leaves no process of the product and no file behind, and removes those of the killed run', async () => {
    const { ended, pid, output } = await startFailingTest();
    const [status] = (await ended) as [number];
    expect(status).toBe(1);
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    expect(output()).toContain(`killed processes that the tests left running: ${pid}`);
    expect(readdirSync(parent)).toEqual([]);
  });
});
