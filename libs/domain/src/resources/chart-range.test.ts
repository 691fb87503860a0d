import { acceptChartRange } from './chart-range.js';

const now = Date.parse('2026-11-01T00:00:00Z');

describe('the range of a chart', () => {
  it.each([
    [{ relative: '7d' }, { relative: '7d' }],
    [
      { $gte: '2026-01-01', $lte: 1767225600000 },
      { $gte: '2026-01-01', $lte: 1767225600000 },
    ],
    [
      { gte: '2026-01-01', lte: '2026-02-01' },
      { $gte: '2026-01-01', $lte: '2026-02-01' },
    ],
    [{ $gte: 0 }, { $gte: 0 }],
    [{}, {}],
  ])('%j is stored as %j', (sent, kept) => {
    expect(acceptChartRange(sent, now)).toEqual(kept);
  });

  it.each([{ relative: 'last week' }, { $gte: 'yesterday' }, { lte: -1 }])('%j is rejected', (sent) => {
    expect(() => acceptChartRange(sent, now)).toThrow(/^dateRange/);
  });
});
