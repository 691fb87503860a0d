import type { ProviderCondition } from '../kinds/metric-kind.js';
import { ProviderBreaker, type ProviderCall } from './provider-breaker.js';

const FAILED: ProviderCondition = { failed: true };
const WORKS: ProviderCondition = { failed: false };

describe('the breaker of a provider', () => {
  let time: number;
  let breaker: ProviderBreaker;
  const begin = (provider = 'openai') => breaker.begin(provider) as ProviderCall;
  const call = (condition: ProviderCondition | undefined) => breaker.end(begin(), condition);
  const fail = (count: number) => {
    for (let n = 0; n < count; n++) call(FAILED);
  };
  /** Whether calls are paused for exactly this time; afterwards it is over. */
  const isPausedFor = (ms: number) => {
    time += ms - 1;
    const before = breaker.mayStart('openai');
    time += 1;
    return !before && breaker.mayStart('openai');
  };
  beforeEach(() => {
    time = 1_000;
    breaker = new ProviderBreaker(() => time);
  });

  it('stays closed while calls fail now and then', () => {
    fail(4);
    call(WORKS);
    fail(4);
    expect(breaker.mayStart('openai')).toBe(true);
    expect(breaker.states()).toEqual([{ provider: 'openai', failures: 4, pausedUntil: 0 }]);
  });

  it('opens after 5 failures in a row for its provider alone, then lets one call try', () => {
    fail(5);
    expect([breaker.mayStart('openai'), breaker.mayStart('anthropic')]).toEqual([false, true]);
    expect(breaker.states()).toEqual([{ provider: 'openai', failures: 5, pausedUntil: 11_000 }]);
    time += 10_000;
    const trial = begin();
    expect(breaker.begin('openai')).toBeUndefined();
    expect(breaker.end(trial, WORKS)).toBe(true);
    expect([breaker.mayStart('openai'), breaker.states()]).toEqual([true, []]);
  });

  it('is not changed by evaluations that sent nothing, and lets another call try', () => {
    fail(4);
    call(undefined);
    call(FAILED);
    time += 10_000;
    expect(call(undefined)).toBe(false);
    expect(call(WORKS)).toBe(true);
  });

  it('is neither lengthened nor closed by calls that began before the pause', () => {
    const [early, late, lucky] = [begin(), begin(), begin()];
    fail(5);
    breaker.end(early, FAILED);
    breaker.end(early, FAILED);
    expect(breaker.end(lucky, WORKS)).toBe(false);
    expect(isPausedFor(10_000)).toBe(true);
    call(WORKS);
    for (let n = 0; n < 9; n++) breaker.end(late, FAILED);
    expect([breaker.mayStart('openai'), breaker.states()]).toEqual([true, []]);
  });

  it('pauses longer after each failed trial, up to 30 s while it is refused and 300 s while nothing answers', () => {
    fail(5);
    const pauses = [10_000, 20_000, 30_000, 30_000];
    for (const ms of pauses) {
      expect(isPausedFor(ms)).toBe(true);
      call(FAILED);
    }
    time += 30_000;
    call({ failed: true, isUnanswered: true });
    expect(isPausedFor(300_000)).toBe(true);
    call({ failed: true, isUnanswered: true });
    expect(isPausedFor(300_000)).toBe(true);
  });

  it.each([
    [1_000, 1_000],
    [3_000, 3_000],
    [7_000, 7_000],
    [90_000, 90_000],
    [3_600_000, 3_600_000],
    [10, 1_000],
  ])(
    'pauses after a single failure if the provider asks for %i ms, as long as it asks',
    (retryAfterMs, ms) => {
      call({ failed: true, retryAfterMs });
      expect(isPausedFor(ms)).toBe(true);
      call({ failed: true, retryAfterMs });
      expect(isPausedFor(ms)).toBe(true);
    },
  );

  it('is lengthened by a call that began before the pause if the provider asks for it', () => {
    const early = begin();
    call({ failed: true, retryAfterMs: 3_000 });
    time += 1_000;
    breaker.end(early, { failed: true, retryAfterMs: 3_000 });
    expect(isPausedFor(3_000)).toBe(true);
  });
});
