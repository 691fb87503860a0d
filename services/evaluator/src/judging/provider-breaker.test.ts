import { ProviderBreaker } from './provider-breaker.js';

const FAILED = { failed: true };

describe('the breaker of a provider', () => {
  let time = 0;
  const failing = (count: number) => {
    time = 1_000;
    const breaker = new ProviderBreaker(() => time);
    for (let n = 0; n < count; n++) breaker.record('openai', FAILED);
    return breaker;
  };

  it('stays closed while calls fail now and then', () => {
    const breaker = failing(4);
    expect(breaker.mayStart('openai', 10)).toBe(true);
    breaker.record('openai', { failed: false });
    for (let n = 0; n < 4; n++) breaker.record('openai', FAILED);
    expect(breaker.mayStart('openai', 10)).toBe(true);
  });

  it('opens after 5 failures in a row for its provider alone, then lets one call try', () => {
    const breaker = failing(5);
    expect([breaker.mayStart('openai', 0), breaker.mayStart('anthropic', 3)]).toEqual([false, true]);
    time += 10_000;
    expect([breaker.mayStart('openai', 1), breaker.mayStart('openai', 0)]).toEqual([false, true]);
    breaker.record('openai', { failed: false });
    expect(breaker.mayStart('openai', 9)).toBe(true);
  });

  it('is not changed by evaluations that sent nothing', () => {
    const breaker = failing(4);
    breaker.record('openai', undefined);
    breaker.record('openai', FAILED);
    expect(breaker.mayStart('openai', 0)).toBe(false);
    breaker.record('openai', undefined);
    expect(breaker.mayStart('openai', 0)).toBe(false);
  });

  it('pauses longer after each failed trial, and at least as long as the provider asks', () => {
    const breaker = failing(5);
    const isPausedFor = (ms: number) => {
      time += ms - 1;
      const before = breaker.mayStart('openai', 0);
      time += 1;
      return !before && breaker.mayStart('openai', 0);
    };
    expect(isPausedFor(10_000)).toBe(true);
    breaker.record('openai', FAILED);
    expect(isPausedFor(20_000)).toBe(true);
    breaker.record('openai', { failed: true, retryAfterMs: 90_000 });
    expect(isPausedFor(90_000)).toBe(true);
    for (let n = 0; n < 10; n++) breaker.record('openai', FAILED);
    expect(isPausedFor(300_000)).toBe(true);
  });
});
