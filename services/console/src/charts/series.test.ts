import { endOfBucket, seriesOf } from './series.js';

const [FIRST, SECOND] = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'];

it('has a value for each bucket of each group, and null is none', () => {
  const { starts, series } = seriesOf({
    events: [
      { bucket: FIRST, group: 'a', value: 1, count: 3 },
      { bucket: SECOND, group: 'a', value: null, count: 0 },
      { bucket: SECOND, group: 'other', value: 5, count: 1 },
      { bucket: SECOND, group: 'other', is_rest: true, value: 0, count: 2 },
    ],
  });
  expect(starts).toEqual([Date.parse(FIRST), Date.parse(SECOND)]);
  expect(series.map(({ name, isRest, values }) => [name, isRest, values])).toEqual([
    ['a', false, [1, null]],
    ['other', false, [null, 5]],
    ['other', true, [null, 0]],
  ]);
});

it('has buckets that end before the next one, and the last with the range', () => {
  const starts = [Date.parse(FIRST), Date.parse(SECOND)];
  expect(endOfBucket(starts, 0, SECOND)).toBe(Date.parse(SECOND) - 1);
  expect(endOfBucket(starts, 1, '2026-11-02T10:00:00.000Z')).toBe(Date.parse('2026-11-02T10:00:00.000Z'));
});
