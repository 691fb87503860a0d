import type { LogPosition } from '@assay/event-log';
import { makeWaitUntilStored } from './wait-until-stored.js';

/** A reader that moves from one of these offsets to the next each time it is looked at. */
function waitFor(offsets: readonly number[], handedOver?: () => LogPosition | undefined) {
  let looks = 0;
  let clock = 0;
  const wait = makeWaitUntilStored({
    log: {
      position: () => Promise.resolve(new Map([[0, offsets[Math.min(looks++, offsets.length - 1)] ?? 0]])),
    },
    now: () => clock++,
    pollIntervalMs: 1,
    handedOver,
  });
  return { wait: (offset: number) => wait(new Map([[0, offset]]), 1_000), looks: () => looks };
}

describe('waiting until the log is stored', () => {
  it('ends when the reader has passed the position', async () => {
    const { wait, looks } = waitFor([1, 2, 3]);
    expect(await wait(3)).toEqual({ current: true });
    expect(looks()).toBe(3);
  });

  it('includes what the reader has appended meanwhile', async () => {
    const { wait, looks } = waitFor([2, 3, 4, 5], () => new Map([[0, 5]]));
    expect(await wait(3)).toEqual({ current: true });
    expect(looks()).toBe(4);
  });

  it('takes no longer when the reader appends all the time', async () => {
    let end = 3;
    const { wait, looks } = waitFor([3, 4, 5], () => new Map([[0, ++end]]));
    expect(await wait(3)).toEqual({ current: true });
    expect(looks()).toBe(2);
  });

  it('ends when the time is over', async () => {
    expect(await waitFor([1]).wait(3)).toMatchObject({ current: false });
  });
});
