import { restAfter } from './live-pace.js';

describe('the rest after a refresh of a session', () => {
  it.each([
    [0, 3_000],
    [150, 3_000],
    [151, 3_020],
    [4_000, 80_000],
  ])('that took %i ms is %i ms', (took, rest) => expect(restAfter(took)).toBe(rest));
});
