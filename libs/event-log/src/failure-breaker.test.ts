import { FailureBreaker } from './failure-breaker.js';

describe('FailureBreaker', () => {
  it('allows 100 consecutive failures and no more', () => {
    const breaker = new FailureBreaker();
    for (let index = 0; index < 100; index += 1) {
      expect(breaker.isFull()).toBe(false);
      breaker.recordFailure();
    }
    expect(breaker.isFull()).toBe(true);
  });

  it('resets the count of consecutive failures after a success', () => {
    const breaker = new FailureBreaker();
    breaker.recordSuccess(9_000);
    for (let index = 0; index < 60; index += 1) breaker.recordFailure();
    breaker.recordSuccess(1);
    expect(breaker.isFull()).toBe(false);
  });

  it('allows failures of 1 % of the last 10,000 records and no more', () => {
    const breaker = new FailureBreaker();
    breaker.recordSuccess(9_000);
    for (let index = 0; index < 99; index += 1) {
      breaker.recordFailure();
      breaker.recordSuccess(1);
    }
    breaker.recordSuccess(10_000 - 9_000 - 2 * 99);
    expect(breaker.isFull()).toBe(false);
    breaker.recordFailure();
    breaker.recordSuccess(1);
    expect(breaker.isFull()).toBe(true);
  });

  it('ignores failures more than 10,000 records ago', () => {
    const breaker = new FailureBreaker();
    breaker.recordSuccess(5_000);
    for (let index = 0; index < 100; index += 1) {
      breaker.recordFailure();
      breaker.recordSuccess(1);
    }
    breaker.recordSuccess(10_000);
    expect(breaker.isFull()).toBe(false);
  });

  it('does not compute a failure rate from few records', () => {
    const breaker = new FailureBreaker();
    breaker.recordSuccess(10);
    breaker.recordFailure();
    breaker.recordSuccess(10);
    expect(breaker.isFull()).toBe(false);
  });

  it('is not tripped by the failures of one project, however many there are', () => {
    const breaker = new FailureBreaker();
    for (let index = 0; index < 20_000; index += 1) breaker.recordFailure('noisy');
    breaker.recordFailure('other');
    expect(breaker.isFull()).toBe(false);
  });

  it('counts each project for at most half of a limit', () => {
    const breaker = new FailureBreaker();
    for (let index = 0; index < 110; index += 1) breaker.recordFailure('noisy');
    for (let index = 0; index < 49; index += 1) breaker.recordFailure('other');
    expect(breaker.isFull()).toBe(false);
    breaker.recordFailure('other');
    expect(breaker.isFull()).toBe(true);
  });
});
