import { startStandalone } from '../harness/stack/start-standalone.js';
import { onStack } from '../harness/stack/on-stack.js';
import { expectUndisturbed, measureBeside } from './quiet-project.js';
import { delaysOf, failuresOf, tellsTimes } from './quiet-verdict.js';

const STALL_MS = 3_000;
const NO_ATTACK = () => Promise.resolve(() => Promise.resolve());
const times = (p99Ms: number, healthzMs: number, slowdown = 1) => ({
  ...{ p99Ms, healthzMs, slowdown },
  newConnectionMs: 0,
});

describe('the comparison of a quiet project alone and beside an attack', () => {
  const { stack } = onStack(() => startStandalone({ LOG_LEVEL: 'error' }));

  it('passes beside nothing', async () => {
    await expectUndisturbed(stack, NO_ATTACK, { durationMs: 2_000 });
  }, 300_000);

  it('measures how long the process stands still', async () => {
    const pid = stack.pid('standalone');
    let resumed: Promise<void> = Promise.resolve();
    const stall = () => {
      process.kill(pid, 'SIGSTOP');
      resumed = new Promise((resume) => setTimeout(resume, STALL_MS)).then(
        () => void process.kill(pid, 'SIGCONT'),
      );
      return Promise.resolve(() => resumed);
    };
    const { beside } = await measureBeside(stack, stall, { durationMs: 2_000 });
    // The measurement begins a little later than the stall.
    expect(beside.healthzMs).toBeGreaterThan(STALL_MS / 2);
    expect(beside.p99Ms).toBeGreaterThan(STALL_MS / 2);
  }, 300_000);

  it.each([
    ['nothing of times that are as long', times(40, 20), times(110, 200), []],
    ['nothing of short times', times(3, 2), times(70, 20), []],
    ['nothing of times on a busy machine', times(40, 20), times(400, 900, 4), []],
    ['a delayed project', times(40, 20), times(200, 20), ['p99 is 5.0 times that of the project alone']],
    ['a process that stands still', times(40, 20), times(40, 3_000), ['/healthz took 3000 ms']],
    [
      'a new connection that waits',
      times(40, 20),
      { ...times(40, 20), newConnectionMs: 300 },
      ['a new connection took 300 ms'],
    ],
  ])('reports %s', (_what, alone, beside, delays) => expect(delaysOf(alone, beside)).toEqual(delays));

  it('reports refusals, broken connections and failed checks of health', () => {
    const figures = { ...times(1, 1), p50Ms: 1, megabytes: 1, megabytesOf: {} };
    const all = { ...figures, statuses: { 200: 9, 401: 1, 503: 2 }, broken: { ECONNRESET: 1 }, unhealthy: 3 };
    expect(failuresOf(all, false)).toEqual(['1 × 401', '2 × 503', '1 × ECONNRESET', '3 × /healthz']);
    expect(failuresOf(all, true)).toEqual(['1 × 401']);
  });

  it.each([
    [1, 5, true],
    [4, 2, false],
    [1, 7, false],
  ])('with a slowdown of %d and %d tells times: %s', (alone, beside, tells) =>
    expect(tellsTimes({ slowdown: alone }, { slowdown: beside })).toBe(tells),
  );
});
