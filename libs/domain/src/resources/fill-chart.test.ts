import { fillChart, type ChartPoint } from './fill-chart.js';

const point = (start: number, group: string, value: number, isRest = false): ChartPoint => ({
  start,
  group,
  isRest,
  value,
  count: value,
});

describe('a chart', () => {
  it.each([
    ['count', 0],
    ['distinct', 0],
    ['sum', 0],
    ['average', null],
    ['min', null],
  ] as const)('by %s has %s where a group has no event', (kind, value) => {
    const rows = fillChart([point(2, 'a', 5)], [1, 2], { kind });
    expect(rows).toEqual([{ start: 1, group: 'a', isRest: false, value, count: 0 }, point(2, 'a', 5)]);
  });

  it('has the largest group first, and the rest last, whatever their names', () => {
    const points = [
      point(1, 'small', 1),
      point(1, 'large', 3),
      point(1, 'other', 9, true),
      point(1, 'other', 2),
    ];
    const names = fillChart(points, [1], { kind: 'count' }).map(({ group, isRest }) => [group, isRest]);
    expect(names).toEqual([
      ['large', false],
      ['other', false],
      ['small', false],
      ['other', true],
    ]);
  });

  it('without events has all buckets once', () => {
    const row = { group: '', isRest: false, value: null, count: 0 };
    expect(fillChart([], [1, 2], { kind: 'quantile', level: 0.5 })).toEqual([
      { start: 1, ...row },
      { start: 2, ...row },
    ]);
  });
});
