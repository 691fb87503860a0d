import { FailureBreaker } from './failure-breaker.js';

describe('the breaker', () => {
  it('lets 100 bad records in a row pass, and not one more', () => {
    const breaker = new FailureBreaker();
    for (let index = 0; index < 100; index += 1) {
      expect(breaker.isFull()).toBe(false);
      breaker.deadLetter();
    }
    expect(breaker.isFull()).toBe(true);
  });

  it('starts counting a row anew after a good record', () => {
    const breaker = new FailureBreaker();
    breaker.handled(9_000);
    for (let index = 0; index < 60; index += 1) breaker.deadLetter();
    breaker.handled(1);
    expect(breaker.isFull()).toBe(false);
  });

  it('lets 1 % of the last 10,000 pass, and not one more', () => {
    const breaker = new FailureBreaker();
    breaker.handled(9_000);
    for (let index = 0; index < 99; index += 1) {
      breaker.deadLetter();
      breaker.handled(1);
    }
    breaker.handled(10_000 - 9_000 - 2 * 99);
    expect(breaker.isFull()).toBe(false);
    breaker.deadLetter();
    breaker.handled(1);
    expect(breaker.isFull()).toBe(true);
  });

  it('forgets what is longer ago than 10,000 records', () => {
    const breaker = new FailureBreaker();
    breaker.handled(5_000);
    for (let index = 0; index < 100; index += 1) {
      breaker.deadLetter();
      breaker.handled(1);
    }
    breaker.handled(10_000);
    expect(breaker.isFull()).toBe(false);
  });

  it('does not judge by a share of a few records', () => {
    const breaker = new FailureBreaker();
    breaker.handled(10);
    breaker.deadLetter();
    breaker.handled(10);
    expect(breaker.isFull()).toBe(false);
  });
});
