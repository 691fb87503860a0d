import { ExpiryScans } from './expiry-scans.js';

const DAY = 86_400_000;
const NOW = 1_790_000_000_000;
const SECOND = 1_000;
const project = (retention: object, projectId = 'p1') => ({ projectId, retention, keepReferenced: false });

describe('how far a pass for expired events looks back', () => {
  let scans: ExpiryScans;
  let clock = NOW;
  beforeEach(() => (scans = new ExpiryScans(() => clock)));
  const only = (retention: object, now: number) => {
    clock = now;
    const [scan, ...others] = scans.of([project(retention)], now);
    expect(others).toEqual([]);
    return scan!;
  };

  it('has one pass for the types that are kept for the same time, and none for those that are kept for ever', () => {
    const [first, second, ...others] = scans.of([project({ default: 90, session: 365, tool: null })], NOW);
    expect(others).toEqual([]);
    const [ninety, year] = first?.cutoffs.session === undefined ? [first, second] : [second, first];
    expect(ninety?.cutoffs).toEqual({ model: NOW - 90 * DAY, chain: NOW - 90 * DAY });
    expect(year?.cutoffs).toEqual({ session: NOW - 365 * DAY });
    expect(scans.of([project({ default: null })], NOW)).toEqual([]);
  });

  it('is over everything at first, after a quick pass, and when the retention changes', () => {
    const first = only({ default: 1 }, NOW);
    expect([first.from, first.before]).toEqual([undefined, undefined]);
    scans.completed(first, 100);
    const next = only({ default: 1 }, NOW + 20 * SECOND);
    expect([next.from, next.before]).toEqual([undefined, NOW - DAY]);
    scans.completed(next, 100);
    const changed = only({ default: 2 }, NOW + 21 * SECOND);
    expect([changed.from, changed.before]).toEqual([undefined, undefined]);
  });

  it('starts where the one before ended while the last one over everything was long, and a twentieth of the time has not passed', () => {
    const first = only({ default: 1 }, NOW);
    scans.completed(first, 10 * SECOND);
    const second = only({ default: 1 }, NOW + 20 * SECOND);
    expect(second.from).toBe(first.cutoff);
    scans.completed(second, 5);
    const third = only({ default: 1 }, NOW + 40 * SECOND);
    expect(third.from).toBe(second.cutoff);
    scans.completed(third, 5);
    expect(only({ default: 1 }, NOW + 190 * SECOND).from).toBeUndefined();
  });

  it('repeats a pass that was not completed, and forgets a project that is not asked about', () => {
    scans.completed(only({ default: 1 }, NOW), 10 * SECOND);
    only({ default: 1 }, NOW + 20 * SECOND);
    expect(only({ default: 1 }, NOW + 40 * SECOND).from).toBe(NOW - DAY);
    expect(scans.of([], NOW + 41 * SECOND)).toEqual([]);
    expect(only({ default: 1 }, NOW + 42 * SECOND).from).toBeUndefined();
  });
});
