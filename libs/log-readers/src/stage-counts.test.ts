import { StageCounts } from './stage-counts.js';

const MINUTE = 60_000;

describe('the counts of stages', () => {
  let time = 1_790_000_000_000;
  const counts = new StageCounts(() => time);
  const read = (project: string) =>
    (['accepted', 'stored'] as const).map((stage) =>
      [5 * MINUTE, 60 * MINUTE].map((period) => counts.count(stage, project, period)),
    );

  it('are kept per project and period for an hour', () => {
    counts.add('accepted', 'a', 3);
    counts.add('stored', 'a');
    counts.add('accepted', 'b');
    expect(read('a')).toEqual([
      [3, 3],
      [1, 1],
    ]);
    time += 10 * MINUTE;
    counts.add('accepted', 'a');
    expect(read('a')).toEqual([
      [1, 4],
      [0, 1],
    ]);
    time += 55 * MINUTE;
    expect(read('a')).toEqual([
      [0, 1],
      [0, 0],
    ]);
    time += 500 * MINUTE;
    expect(read('a').flat()).toEqual([0, 0, 0, 0]);
    expect(read('unknown').flat()).toEqual([0, 0, 0, 0]);
    // The total is that of all time.
    expect(['a', 'b', 'unknown'].map((project) => counts.total('accepted', project))).toEqual([4, 1, 0]);
  });
});
