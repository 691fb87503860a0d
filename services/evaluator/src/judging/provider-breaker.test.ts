import { ProviderBreaker } from './provider-breaker.js';

describe('the breaker of a provider', () => {
  let time = 0;
  const failing = (count: number) => {
    time = 1_000;
    const breaker = new ProviderBreaker(() => time);
    for (let n = 0; n < count; n++) breaker.failed('openai');
    return breaker;
  };

  it('stays closed while calls fail now and then', () => {
    const breaker = failing(4);
    expect(breaker.mayStart('openai', 10)).toBe(true);
    breaker.succeeded('openai');
    for (let n = 0; n < 4; n++) breaker.failed('openai');
    expect(breaker.mayStart('openai', 10)).toBe(true);
  });

  it('opens after 5 failures in a row for its provider alone, then lets one call try', () => {
    const breaker = failing(5);
    expect([breaker.mayStart('openai', 0), breaker.mayStart('anthropic', 3)]).toEqual([false, true]);
    time += 10_000;
    expect([breaker.mayStart('openai', 1), breaker.mayStart('openai', 0)]).toEqual([false, true]);
    breaker.succeeded('openai');
    expect(breaker.mayStart('openai', 9)).toBe(true);
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
    breaker.failed('openai');
    expect(isPausedFor(20_000)).toBe(true);
    breaker.failed('openai', 90_000);
    expect(isPausedFor(90_000)).toBe(true);
    for (let n = 0; n < 10; n++) breaker.failed('openai');
    expect(isPausedFor(300_000)).toBe(true);
  });
});
