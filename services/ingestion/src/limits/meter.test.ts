import type { ActiveLimits } from '@assay/domain';
import { Meter } from './meter.js';

const DAY = 86_400_000;
const MIDNIGHT = 20_000 * DAY;

describe('the meter of a sender', () => {
  const clock = { now: MIDNIGHT, elapsed: 0 };
  beforeEach(() => Object.assign(clock, { now: MIDNIGHT, elapsed: 0 }));

  function aMeter(limits: ActiveLimits): Meter {
    const meter = new Meter({ now: () => clock.now, elapsed: () => clock.elapsed });
    meter.limits = limits;
    return meter;
  }
  const pass = (ms: number) => {
    clock.now += ms;
    clock.elapsed += ms;
  };
  /** Sends a request if it is accepted; else returns the seconds after which it may be sent again. */
  function send(meter: Meter, events: number, bytes = 1): number {
    const refusal = meter.refusalOf({ events, bytes });
    if (refusal === undefined) meter.take({ events, bytes });
    return refusal?.retryAfterSeconds ?? 0;
  }

  it('accepts as many events as ten seconds have together, then as many as are allowed in each', () => {
    const meter = aMeter({ events_per_second: 5 });
    for (let n = 0; n < 50; n++) expect(send(meter, 1)).toBe(0);
    expect(send(meter, 1)).toBe(1);
    pass(1_000);
    for (let n = 0; n < 5; n++) expect(send(meter, 1)).toBe(0);
    expect(send(meter, 1)).toBe(1);
    expect(send(meter, 20)).toBe(4);
    pass(3_999);
    expect(send(meter, 20)).toBe(1);
    pass(1);
    expect(send(meter, 20)).toBe(0);
    pass(3_600_000);
    expect(send(meter, 51)).toBe(0);
    expect(send(meter, 1)).toBe(1);
  });

  it('accepts a request that is larger than its bucket after a pause, and waits for what it had too much', () => {
    const meter = aMeter({ events_per_second: 5 });
    expect(send(meter, 1_000)).toBe(0);
    expect(send(meter, 1)).toBe(191);
    pass(190_000);
    expect(send(meter, 1)).toBe(1);
    pass(200);
    expect(send(meter, 1)).toBe(0);
    expect(send(meter, 1_000)).toBe(10);
    pass(10_000);
    expect(send(meter, 1_000)).toBe(0);
  });

  it('accepts bytes until the limit of the day is reached, and again from midnight', () => {
    const meter = aMeter({ bytes_per_day: 1_000 });
    pass(DAY / 2);
    expect(send(meter, 1, 999)).toBe(0);
    expect(send(meter, 1, 500)).toBe(0);
    expect(meter.bytesToday).toBe(1_499);
    expect(send(meter, 1, 1)).toBe(DAY / 2_000);
    pass(DAY / 2 - 1);
    expect(send(meter, 1, 1)).toBe(1);
    pass(1);
    expect(meter.bytesToday).toBe(499);
    expect(send(meter, 1, 501)).toBe(0);
    expect(send(meter, 1, 1)).toBe(DAY / 1_000);
  });

  it('accepts a request of more bytes than a day has, and counts it for the days that it takes', () => {
    const meter = aMeter({ bytes_per_day: 1_000 });
    expect(send(meter, 1, 3_500)).toBe(0);
    pass(2 * DAY);
    expect(send(meter, 1)).toBe(DAY / 1_000);
    pass(DAY);
    expect(meter.bytesToday).toBe(500);
    expect(send(meter, 1)).toBe(0);
  });

  it('keeps the day when the clock is set back', () => {
    const meter = aMeter({ bytes_per_day: 1_000 });
    send(meter, 1, 1_000);
    clock.now -= 3 * DAY;
    expect(send(meter, 1)).toBeGreaterThan(0);
    clock.now += 4 * DAY;
    expect(send(meter, 1)).toBe(0);
  });

  it('counts nothing that was not accepted', () => {
    const meter = aMeter({ events_per_second: 1, bytes_per_day: 100 });
    for (let n = 0; n < 100; n++) {
      const cost = { events: 10, bytes: 100 };
      expect(meter.refusalOf(cost)).toBeUndefined();
      meter.take(cost);
      meter.release(cost);
    }
    expect(meter.bytesToday).toBe(0);
  });

  it('applies changed limits immediately, and keeps what was counted', () => {
    const meter = aMeter({ events_per_second: 1, bytes_per_day: 100 });
    expect(send(meter, 10, 100)).toBe(0);
    meter.limits = { events_per_second: 1, bytes_per_day: 200 };
    expect(send(meter, 1)).toBe(1);
    meter.limits = { bytes_per_day: 200 };
    expect(send(meter, 1, 99)).toBe(0);
    meter.limits = { events_per_second: 2, bytes_per_day: 200 };
    expect(send(meter, 20)).toBe(0);
    expect(meter.refusalOf({ events: 1, bytes: 1 })?.limit).toBe('bytes_per_day');
    meter.limits = {};
    expect([send(meter, 1_000_000, 1_000_000), meter.bytesToday]).toEqual([0, null]);
  });
});
