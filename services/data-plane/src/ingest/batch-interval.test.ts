import { makeBatchInterval, STORE_INTERVALS, UNREAD_AFTER_MS, type LoopTimes } from './batch-interval.js';

const INTERVALS = STORE_INTERVALS.exclusive;
const { idle, busy, unread } = INTERVALS;

/** A function that adds to the times of an event loop, and the interval that these choose. */
function startLoop() {
  let times: LoopTimes = { active: 0, idle: 0 };
  const batchInterval = makeBatchInterval(INTERVALS, { loopTimes: () => times });
  return {
    batchInterval,
    run: (active: number, idleMs: number) => {
      times = { active: times.active + active, idle: times.idle + idleMs };
      return batchInterval();
    },
  };
}

describe('the interval between two batches', () => {
  it('is short before anything is measured', () => {
    expect(startLoop().batchInterval()).toBe(idle);
  });

  it.each([
    [0, idle],
    [0.5, idle],
    [0.7, busy],
    [1, busy],
  ])('follows an event loop that is busy for the share %d of a second', (share, interval) => {
    expect(startLoop().run(share * 1_000, (1 - share) * 1_000)).toBe(interval);
  });

  it('does not follow a share of a short time', () => {
    expect(startLoop().run(100, 0)).toBe(idle);
  });

  it('adds short times up until they are long enough', () => {
    const { run } = startLoop();
    expect([run(100, 0), run(100, 0), run(100, 0)]).toEqual([idle, idle, busy]);
  });

  it('is short again once the event loop has time', () => {
    const { run } = startLoop();
    expect([run(1_000, 0), run(0, 1_000)]).toEqual([busy, idle]);
  });

  describe('of a store that clients may read', () => {
    /** Intervals of a process after a time without a query, and after one. */
    const startReading = (share: number) => {
      let [times, clock, asked] = [{ active: 0, idle: 0 }, 0, 0];
      const batchInterval = makeBatchInterval(INTERVALS, {
        loopTimes: () => times,
        queries: () => asked,
        now: () => clock,
      });
      const step = (ms: number, queries: number) => {
        asked += queries;
        clock += ms;
        times = { active: times.active + share * ms, idle: times.idle + (1 - share) * ms };
        return batchInterval();
      };
      return step;
    };

    it.each([
      [1, busy],
      [0.3, idle],
    ])(
      'is longer in a process that is busy for the share %d after a time without a query',
      (share, whileRead) => {
        const step = startReading(share);
        expect([step(UNREAD_AFTER_MS - 1, 0), step(1, 0), step(1_000, 0)]).toEqual([
          whileRead,
          unread,
          unread,
        ]);
      },
    );

    it('is as short as before from the first query on', () => {
      const step = startReading(1);
      expect([step(UNREAD_AFTER_MS, 0), step(300, 1)]).toEqual([unread, busy]);
      expect([step(UNREAD_AFTER_MS - 1, 0), step(1, 0)]).toEqual([busy, unread]);
    });

    it('is that of a busy process where no other is given', () => {
      let times = { active: 0, idle: 0 };
      const batchInterval = makeBatchInterval(
        { idle, busy },
        { loopTimes: () => times, queries: () => 0, now: () => times.active },
      );
      times = { active: 2 * UNREAD_AFTER_MS, idle: 0 };
      expect(batchInterval()).toBe(busy);
    });

    it('is short in a process that has time', () => {
      expect(startReading(0.1)(2 * UNREAD_AFTER_MS, 0)).toBe(idle);
    });
  });

  it('measures the event loop of the process', () => {
    expect(Object.values(INTERVALS)).toContain(makeBatchInterval(INTERVALS)());
  });
});
