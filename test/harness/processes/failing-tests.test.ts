import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { own, waitFor } from '@assay/testing';
import { repository } from '../stack/repository.js';

const CONFIG = 'libs/tooling/jest/embedded.config.cjs';

/** Runs jest on a fixture whose test fails while the product runs; resolves when it has printed the product's process id. */
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
        env: { ...process.env, JEST_WORKER_ID: undefined },
      },
    ),
  );
  let output = '';
  for (const stream of [jest.stdout, jest.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(jest, 'exit');
  const pid = await waitFor('the product runs', () => /started (\d+)/.exec(output)?.[1], {
    withinMs: 50_000,
  });
  return { jest, ended, pid: Number(pid), output: () => output };
}

describe('a failing test', () => {
  it('leaves no process of the product behind', async () => {
    const { ended, pid, output } = await startFailingTest();
    const [status] = (await ended) as [number];
    expect(status).toBe(1);
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    expect(output()).toContain(`killed processes that the tests left running: ${pid}`);
  });

  it('leaves no process behind when jest itself is killed', async () => {
    const { jest, ended, pid } = await startFailingTest();
    jest.kill('SIGKILL');
    await ended;
    await waitFor('the product has ended', () => !existsSync(`/proc/${pid}`));
  });
});
