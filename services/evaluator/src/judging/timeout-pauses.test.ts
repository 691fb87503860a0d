import { MAX_TIMEOUTS, PAUSE_MS, TimeoutPauses } from './timeout-pauses.js';

describe('the pauses of metrics whose code does not end', () => {
  let time = 1_000;
  let pauses: TimeoutPauses;
  beforeEach(() => (pauses = new TimeoutPauses(() => time)));
  const timeouts = (count: number) => Array.from({ length: count }, () => pauses.record('m', true));

  it('begin with the 20th timeout in a row, of one metric', () => {
    expect(timeouts(MAX_TIMEOUTS - 1)).not.toContain(true);
    expect(pauses.isPaused('m')).toBe(false);
    expect(timeouts(1)).toEqual([true]);
    expect([pauses.isPaused('m'), pauses.isPaused('other')]).toEqual([true, false]);
  });

  it('do not begin when an evaluation ends in time in between', () => {
    timeouts(MAX_TIMEOUTS - 1);
    pauses.record('m', false);
    expect(timeouts(MAX_TIMEOUTS - 1)).not.toContain(true);
    expect(pauses.isPaused('m')).toBe(false);
  });

  it('end after 60 s, begin again with the next timeout, and end for ever with an evaluation that ends in time', () => {
    timeouts(MAX_TIMEOUTS);
    time += PAUSE_MS - 1;
    expect([pauses.isPaused('m'), timeouts(3)]).toEqual([true, [false, false, false]]);
    time += 1;
    expect(pauses.isPaused('m')).toBe(false);
    expect([timeouts(1), pauses.isPaused('m')]).toEqual([[true], true]);
    time += PAUSE_MS;
    pauses.record('m', false);
    expect([timeouts(1), pauses.isPaused('m')]).toEqual([[false], false]);
  });
});
