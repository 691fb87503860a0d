import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const MAIN = join(__dirname, '../../test/run-bare-service.cjs');
const WARNING = 'node runs without --max-semi-space-size=64';

/** Runs a service whose start reports about its process. */
function run(flags: readonly string[], environment: Record<string, string> = {}) {
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, MAIN], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...environment },
  });
  return { ...(JSON.parse(stdout) as { proto: boolean; threads: number }), stderr };
}

describe('a service that is started without flags', () => {
  it('has fourteen threads in its pool and no __proto__, and warns of the flag that it cannot set', () => {
    const { stderr, ...found } = run([]);
    expect(found).toEqual({ proto: false, threads: 14 });
    expect(stderr).toContain(WARNING);
  });

  it.each([
    [['--max-semi-space-size=64'], {}],
    [['--max_semi_space_size=128'], {}],
    [[], { NODE_OPTIONS: '--max-semi-space-size=64' }],
  ])('does not warn with %j %j', (flags, environment) => {
    expect(run(flags, environment).stderr).not.toContain(WARNING);
  });

  it('keeps the size of the pool that is set', () => {
    expect(run([], { UV_THREADPOOL_SIZE: '3' }).threads).toBe(3);
  });
});
