import { Completeness } from './completeness.js';

describe('the knowledge that every row has its payload', () => {
  it('comes from a comparison and ends with a doubt', async () => {
    const completeness = new Completeness(() => Promise.resolve(true));
    expect(completeness.isKnown).toBe(false);
    await completeness.compareNow();
    expect(completeness.isKnown).toBe(true);
    completeness.doubt();
    expect(completeness.isKnown).toBe(false);
  });

  it('does not come from a comparison that found rows, or during which a write failed', async () => {
    const incomplete = new Completeness(() => Promise.resolve(false));
    await incomplete.compareNow();
    expect(incomplete.isKnown).toBe(false);
    const doubted: Completeness = new Completeness(() => {
      doubted.doubt();
      return Promise.resolve(true);
    });
    await doubted.compareNow();
    expect(doubted.isKnown).toBe(false);
  });

  it('compares in the background at most once a minute, and less often when that takes long', async () => {
    const clock = { now: 0, runs: 0 };
    const failing = () => {
      clock.runs++;
      clock.now += 10_000;
      return Promise.reject(new Error('the engine is unreachable'));
    };
    const completeness = new Completeness(failing, () => clock.now);
    const comparesAt = async (now: number) => {
      clock.now = now;
      completeness.compareSoon();
      completeness.compareSoon();
      await new Promise((resolve) => setImmediate(resolve));
      return clock.runs;
    };
    expect([await comparesAt(0), await comparesAt(150_000), await comparesAt(201_000)]).toStrictEqual([
      1, 1, 2,
    ]);
  });
});
