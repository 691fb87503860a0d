import { LogProgress } from './log-progress.js';

const MINUTE = 60_000;

/** A log of two partitions on a simulated clock. */
class Simulation {
  time = 0;
  end = [0, 0];
  stored = [0, 0];
  readonly progress = new LogProgress({
    log: {
      end: () => Promise.resolve(new Map(this.end.entries())),
      position: () => Promise.resolve(new Map(this.stored.entries())),
    },
    groups: ['store'],
    now: () => this.time,
  });

  async at(time: number, end: [number, number], stored: [number, number]): Promise<void> {
    Object.assign(this, { time, end, stored });
    await this.progress.look();
  }
}

describe('the progress on the log', () => {
  let log: Simulation;
  beforeEach(() => (log = new Simulation()));

  it('is unknown before the first sample', () => {
    expect(log.progress.lag('store')).toBeUndefined();
    expect(log.progress.completeUntil('store')).toBeUndefined();
    expect([log.progress.since, log.progress.passed(MINUTE)]).toEqual([undefined, 0]);
  });

  it('has the lag of a group in records and in seconds', async () => {
    await log.at(0, [5, 5], [5, 5]);
    expect(log.progress.lag('store')).toEqual({ records: 0, seconds: 0 });
    await log.at(10_000, [8, 5], [5, 5]);
    await log.at(30_000, [9, 9], [6, 5]);
    expect(log.progress.lag('store')).toEqual({ records: 7, seconds: 20 });
    await log.at(31_000, [9, 9], [9, 9]);
    expect(log.progress.lag('store')).toEqual({ records: 0, seconds: 0 });
  });

  it('states until when everything is stored', async () => {
    await log.at(0, [5, 5], [5, 5]);
    await log.at(10_000, [8, 5], [7, 5]);
    expect(log.progress.completeUntil('store')).toBe(0);
    await log.at(20_000, [12, 5], [9, 5]);
    expect(log.progress.completeUntil('store')).toBe(10_000);
  });

  it('has the totals of the log, and knows them exactly however often it is asked', async () => {
    await log.at(0, [0, 0], [0, 0]);
    for (let ms = 1; ms <= 5_000; ms++) await log.at(ms, [ms, ms], [ms, 0]);
    expect([log.progress.total(), log.progress.total('store')]).toEqual([10_000, 5_000]);
    expect(log.progress.passed(MINUTE)).toBe(10_000);
    expect(log.progress.since).toBe(0);
  });

  it('counts what was appended and read in a period, for an hour', async () => {
    await log.at(0, [100, 0], [0, 0]);
    for (let minute = 1; minute <= 90; minute++)
      await log.at(minute * MINUTE, [100 + minute, 0], [minute, 0]);
    expect(log.progress.passed(5 * MINUTE)).toBe(5);
    expect(log.progress.passed(60 * MINUTE, 'store')).toBe(60);
    expect(log.progress.since).toBeGreaterThanOrEqual(29 * MINUTE);
  });
});
