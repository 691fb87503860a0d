import { runNode, type CommandResult } from '../harness/processes/run-node.js';
import { repository } from '../harness/stack/repository.js';

/** Runs what `npm run test:chaos` runs. */
function run(...args: string[]): Promise<CommandResult> {
  const program = ['-r', './libs/tooling/run/typescript-hook.cjs', 'test/chaos/rounds.ts', ...args];
  return runNode(program, repository, { PATH: process.env['PATH'] ?? '' });
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
    expect(stdout).toMatch(
      /^\d+ requests, \d+ events, [1-9]\d* kills, [1-9]\d* stops, [1-9]\d* freezes: lost 0, duplicated 0, restored 0, violations 0, incomplete rows 0$/m,
    );
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
