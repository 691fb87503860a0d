import { Budget, DEFAULT_LIMITS, type Clocks } from './limits.js';

class SetClocks implements Clocks {
  elapsedMs = 1_000;
  cpuMs = 500;
  elapsed = () => this.elapsedMs;
  cpu = () => this.cpuMs;
}

describe('the time limit of a rendering', () => {
  it.each([
    { steps: 256, elapsedMs: 51, cpuMs: 51, isLate: true },
    { steps: 256, elapsedMs: 60_000, cpuMs: 51, isLate: true },
    { steps: 256, elapsedMs: 50, cpuMs: 50, isLate: false },
    { steps: 256, elapsedMs: 60_000, cpuMs: 1, isLate: false },
    // Other threads of the process compute too.
    { steps: 256, elapsedMs: 30, cpuMs: 200, isLate: false },
    { steps: 255, elapsedMs: 60_000, cpuMs: 60_000, isLate: false },
  ])('$steps steps, $elapsedMs ms with $cpuMs ms of CPU: late = $isLate', (given) => {
    const { steps, elapsedMs, cpuMs, isLate } = given;
    const clocks = new SetClocks();
    const budget = new Budget(DEFAULT_LIMITS, clocks);
    budget.step(steps);
    clocks.elapsedMs += elapsedMs;
    clocks.cpuMs += cpuMs;
    const check = () => budget.checkClock();
    if (isLate) expect(check).toThrow('the template takes longer than 50 ms');
    else expect(check).not.toThrow();
  });
});
