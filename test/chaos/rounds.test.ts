import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { own } from '@assay/testing';
import { repository } from '../harness/stack/repository.js';

/** Runs what `npm run test:chaos` runs. */
async function run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const program = ['-r', './libs/tooling/run/typescript-hook.cjs', 'test/chaos/rounds.ts', ...args];
  const child = own(spawn(process.execPath, program, { cwd: repository, stdio: ['ignore', 'pipe', 'pipe'] }));
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

describe('kills for a time of choice', () => {
  it('end after the round in which the time is over, with the seed of each', async () => {
    const seed = 1 + (Date.now() % 100_000);
    const { code, stdout } = await run('--seconds', '1', '--seed', String(seed));
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.any(String) as string });
    expect(stdout).toMatch(
      new RegExp(
        `^round 1, seed ${seed}: \\d{2,} requests acknowledged, \\d{2,} events found, 0 violations$`,
        'm',
      ),
    );
    expect(stdout).toMatch(/^\d+ kills, 0 incomplete rows$/m);
  }, 300_000);

  it.each([
    ['--seconds', '0'],
    ['--seed', '1.5'],
    ['--minutes', '1'],
  ])('refuse %s %s', async (...args) => {
    const { code, stderr } = await run(...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(args[0]) as string });
  });
});
