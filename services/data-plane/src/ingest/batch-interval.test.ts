import { BATCH_INTERVALS, makeBatchInterval, type LoopTimes } from './batch-interval.js';

const { idle, busy } = BATCH_INTERVALS;

/** A function that adds to the times of an event loop, and the interval that these choose. */
function startLoop() {
  let times: LoopTimes = { active: 0, idle: 0 };
  const batchInterval = makeBatchInterval({ loopTimes: () => times });
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

  it('measures the event loop of the process', () => {
    expect(Object.values(BATCH_INTERVALS)).toContain(makeBatchInterval()());
  });
});
