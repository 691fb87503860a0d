import { Budget, DEFAULT_LIMITS } from './limits.js';

describe('the limit of the time of a rendering', () => {
  const limits = { ...DEFAULT_LIMITS, maxMs: 50 };
  it.each([
    [51, 0, 'continues: the process had no CPU'],
    [1_000, 50, 'continues: the process had little CPU'],
    [50, 200, 'continues: other threads used CPU'],
    [51, 51, 'ends'],
  ])('after %i ms and %i ms of CPU the rendering %s', (ms, cpuMs, what) => {
    const clocks = { ms: 100, cpuMs: 7 };
    const budget = new Budget(limits, { now: () => clocks.ms, cpu: () => clocks.cpuMs });
    clocks.ms += ms;
    clocks.cpuMs += cpuMs;
    const check = () => budget.checkClock();
    if (what === 'ends') expect(check).toThrow('the template takes longer than 50 ms');
    else expect(check).not.toThrow();
  });
});
