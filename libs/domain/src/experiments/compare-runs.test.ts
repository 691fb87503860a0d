import type { JsonObject } from '../json.js';
import {
  aRule,
  aSession,
  anEvent,
  compare,
  rulesOf,
  scored,
  sessionsOf,
} from '../../test/experiments/run-fixture.js';
import { passingRangesOf } from './metric-rule.js';

describe('a comparison', () => {
  it('pairs scores by datapoint', () => {
    const { metrics, commonDatapoints } = compare(scored([1, 0, 0.5]), scored([1, 1, 0.25]));
    expect(commonDatapoints).toEqual(['d0', 'd1', 'd2']);
    expect(metrics).toMatchObject([
      {
        metric_name: 'score',
        metric_type: 'CLIENT_SIDE',
        event_name: 'answer',
        event_type: 'chain',
        old_aggregate: 0.5,
        new_aggregate: 0.75,
        difference: 0.25,
        percentage_change: 50,
        found_count: 3,
        improved_count: 1,
        degraded_count: 1,
        same_count: 1,
        improved: ['d1'],
        degraded: ['d2'],
        same: ['d0'],
        old_values: [1, 0, 0.5],
        new_values: [1, 1, 0.25],
        statistics: { pairs: 3, mean_difference: 0.25, verdict: 'too_few' },
      },
    ]);
  });

  it('aggregates all sessions, not only those of common datapoints', () => {
    const old = sessionsOf([anEvent('s', { a: 1 }, { datapointId: 'd' }), anEvent('t', { a: 3 })]);
    const [metric] = compare(old, sessionsOf([anEvent('u', { a: 2 }, { datapointId: 'd' })])).metrics;
    expect(metric).toMatchObject({ old_aggregate: 2, new_aggregate: 2, found_count: 1, improved: ['d'] });
  });

  it('averages several scores of a datapoint first', () => {
    const old = sessionsOf([
      anEvent('s', { a: 1 }, { datapointId: 'd' }),
      anEvent('t', { a: 0 }, { datapointId: 'd' }),
    ]);
    const [metric] = compare(old, sessionsOf([anEvent('u', { a: 0.5 }, { datapointId: 'd' })])).metrics;
    expect(metric).toMatchObject({ old_values: [0.5], new_values: [0.5], same: ['d'] });
  });

  it('lists only metrics of both runs, and never pairs sessions without a datapoint', () => {
    const old = sessionsOf([anEvent('s', { a: 1, gone: 1 })]);
    const { metrics, commonDatapoints } = compare(old, sessionsOf([anEvent('s', { a: 2, added: 1 })]));
    expect(commonDatapoints).toEqual([]);
    expect(metrics).toMatchObject([{ metric_name: 'a', difference: 1, found_count: 0, old_values: [] }]);
  });

  it.each([
    ['a rise', 2, 3, 50],
    ['a fall', 2, 1, -50],
    ['a rise from a negative value', -2, -1, -50],
    ['no change from 0', 0, 0, 0],
    ['a rise from 0', 0, 0.1, 100],
    ['a fall from 0', 0, -7, -100],
    ['a change beyond the range of a double', 5e-324, 1e300, Number.MAX_VALUE],
  ])('has a percentage for %s', (_title, old, now, expected) => {
    expect(compare(scored([old]), scored([now])).metrics[0]?.percentage_change).toBe(expected);
  });

  it.each([
    ['higher', ['d1'], ['d0']],
    ['lower', ['d0'], ['d1']],
    ['none', ['d1'], ['d0']],
  ] as const)('judges by the direction %s', (direction, improved, degraded) => {
    const rules = rulesOf([aRule('score', { direction })]);
    expect(compare(scored([2, 1]), scored([1, 2]), { rules }).metrics[0]).toMatchObject({
      improved,
      degraded,
    });
  });

  it('tells in which run an event occurs', () => {
    const old = sessionsOf([aSession('s'), anEvent('s', {}, { eventName: 'removed' })]);
    const now = sessionsOf([aSession('t'), anEvent('t', {}, { eventName: 'added' })]);
    expect(compare(old, now).event_details).toEqual([
      { event_name: 'run', event_type: 'session', presence: 'both' },
      { event_name: 'removed', event_type: 'chain', presence: 'old' },
      { event_name: 'added', event_type: 'chain', presence: 'new' },
    ]);
  });

  it('finds everything the same in a run compared with itself', () => {
    const run = scored([0.1, 0.2, 0.9, 1, 0, 0.4, 0.3, 0.8, 0.7, 0.6]);
    expect(compare(run, run).metrics[0]).toMatchObject({
      same_count: 10,
      difference: 0,
      percentage_change: 0,
      statistics: { p_value: 1, verdict: 'no_difference_shown', effect_size: 0 },
    });
  });

  it('has no pairs without common datapoints', () => {
    const others = sessionsOf([anEvent('x', { score: 1 }, { datapointId: 'other' })]);
    expect(compare(scored([1]), others)).toMatchObject({
      commonDatapoints: [],
      metrics: [{ found_count: 0, statistics: { pairs: 0, mean_difference: 0, verdict: 'too_few' } }],
    });
  });

  it('tests passes by the threshold for numbers, and by the value for booleans', () => {
    const rules = rulesOf([aRule('score', { threshold: { min: 0.5 } })]);
    const [number] = compare(scored([0, 0, 1, 1]), scored([1, 0, 0, 0.5]), { rules }).metrics;
    expect(number?.statistics.mcnemar).toEqual({ gained: 1, lost: 1, p_value: 1 });
    const [boolean] = compare(scored([false, true]), scored([true, true])).metrics;
    expect(boolean?.statistics.mcnemar).toEqual({ gained: 1, lost: 0, p_value: 1 });
    expect(compare(scored([0]), scored([1])).metrics[0]?.statistics.mcnemar).toBeNull();
  });

  it('has pairs in the order of the old run, also when the first session of a datapoint lacks the metric', () => {
    const old = sessionsOf([
      anEvent('s', { other: 1 }, { datapointId: 'd', startTime: 1 }),
      anEvent('t', { a: 1 }, { datapointId: 'e', startTime: 2 }),
      anEvent('u', { a: 2 }, { datapointId: 'd', startTime: 3 }),
    ]);
    const { metrics, commonDatapoints } = compare(old, old);
    expect(commonDatapoints).toEqual(['d', 'e']);
    expect(metrics[1]).toMatchObject({ metric_name: 'a', same: ['d', 'e'], old_values: [2, 1] });
  });

  // Looking for each datapoint in each metric would take 400 million steps.
  it('refuses a metric of 20,000 names of events before it pairs their scores', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `n${index}`);
    const old = sessionsOf(
      names.map((name) => anEvent(name, { a: 1 }, { datapointId: name, eventName: name })),
    );
    expect(() => compare(old, old)).toThrow('more than 1000 metrics in common');
  });

  it('refuses more than 1,000 metrics', () => {
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`m${index}`, 1]));
    const run = sessionsOf([anEvent('s', many)]);
    expect(() => compare(run, run)).toThrow('more than 1000 metrics');
    expect(compare(run, run, { names: ['m7'] }).metrics).toHaveLength(1);
  });
});

describe('the passing ranges of a run', () => {
  it('are objects or pairs of bounds', () => {
    const passing_ranges = { a: { min: 1, max: 2 }, b: [0, 1], c: [null, 3], d: { max: 'x' }, e: 5, f: {} };
    expect([...passingRangesOf({ passing_ranges })]).toEqual([
      ['a', { min: 1, max: 2 }],
      ['b', { min: 0, max: 1 }],
      ['c', { max: 3 }],
    ]);
  });

  it.each<JsonObject>([{}, { passing_ranges: null }, { passing_ranges: 'x' }, { passing_ranges: [1] }])(
    'are absent in %j',
    (metadata) => {
      expect(passingRangesOf(metadata).size).toBe(0);
    },
  );
});
