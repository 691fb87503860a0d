import { aRule, aSession, anEvent, rulesOf, sessionsOf } from '../../test/experiments/run-fixture.js';
import type { RunEvent } from './run-events.js';
import { runResult, type RunResultInput } from './run-result.js';

const resultOf = (
  events: readonly RunEvent[],
  { sessionIds = [], ...input }: Partial<RunResultInput> & { sessionIds?: readonly string[] } = {},
) =>
  runResult({
    sessions: sessionsOf(events, sessionIds),
    rules: rulesOf(),
    status: 'completed',
    aggregateFunction: 'average',
    ...input,
  });

describe('the events of a run', () => {
  const names = (events: readonly RunEvent[], sessionIds?: readonly string[]) =>
    resultOf(events, { sessionIds }).datapoints.map(({ session_id }) => session_id);

  it('name the run, or are in a session that the run lists', () => {
    const other = { runId: 'another run' };
    const events = [
      anEvent('named', { a: 1 }),
      anEvent('listed', { a: 1 }, other),
      anEvent('neither', { a: 1 }, other),
    ];
    expect(names(events, ['listed'])).toEqual(['listed', 'named']);
  });

  it('inherit the run of their session when they name none', () => {
    const { metrics } = resultOf([
      aSession('s'),
      anEvent('s', { a: 1 }, { runId: '' }),
      anEvent('s', { a: 5 }, { eventId: 'other', runId: 'another run' }),
      anEvent('t', { a: 7 }, { runId: '' }),
    ]);
    expect(metrics.details).toMatchObject([{ values: [1] }]);
  });

  it('are grouped in the order in which the sessions started', () => {
    expect(
      names([anEvent('b', {}, { startTime: 9 }), anEvent('c', {}), anEvent('a', {}), aSession('b')]),
    ).toEqual(['b', 'a', 'c']);
  });

  it('without a selected one leave their session out, but link it to its datapoint', () => {
    const unselected = { isSelected: false };
    const { datapoints, event_details } = resultOf([
      aSession('s', { ...unselected, datapointId: 'd' }),
      anEvent('s', { a: 1 }),
      anEvent('t', { a: 1 }, unselected),
    ]);
    expect(datapoints).toMatchObject([{ session_id: 's', datapoint_id: 'd' }]);
    expect(event_details).toEqual([{ event_name: 'answer', event_type: 'chain' }]);
  });

  it('belong to the datapoint that they name, else to that of their session', () => {
    const events = [
      anEvent('s', { a: 1 }, { datapointId: 'of the event' }),
      aSession('s', { datapointId: 'of the session', startTime: 5 }),
      anEvent('t', {}, { startTime: 9, eventId: 't2', datapointId: 'second' }),
      anEvent('t', {}, { startTime: 8, datapointId: 'first' }),
      anEvent('u', {}, { startTime: 10 }),
    ];
    expect(resultOf(events).passed).toEqual(['of the session', 'of the event', 'first', 'second', 'u']);
  });
});

describe('the scores of a run', () => {
  it('are numbers and booleans, without explanations and other text', () => {
    const metrics = {
      a: 0.5,
      b: true,
      c: 'NaN',
      d: null,
      e: { f: 1 },
      g: [1],
      a_explanation: 3,
      z: 'Infinity',
    };
    const result = resultOf([anEvent('s', metrics)]);
    expect(result.datapoints[0]?.metrics).toMatchObject([
      { name: 'a', value: 0.5 },
      { name: 'b', value: true },
    ]);
    expect(result.metrics.details).toMatchObject([
      { metric_name: 'a', values: [0.5], aggregate: 0.5, metric_type: 'CLIENT_SIDE' },
      { metric_name: 'b', values: [1], aggregate: 1 },
    ]);
  });

  it('are kept apart by the name of the event', () => {
    const events = [anEvent('s', { a: 1 }), anEvent('s', { a: 0 }, { eventId: 'x', eventName: 'search' })];
    expect(resultOf(events).metrics.details).toMatchObject([
      { event_name: 'answer', values: [1] },
      { event_name: 'search', values: [0] },
    ]);
  });

  it('include every metric name, also those that JavaScript objects have', () => {
    const metrics = JSON.parse('{"__proto__":1,"constructor":0.5}') as RunEvent['metrics'];
    expect(resultOf([anEvent('s', metrics)]).metrics.details).toMatchObject([
      { metric_name: '__proto__', values: [1], metric_type: 'CLIENT_SIDE' },
      { metric_name: 'constructor', values: [0.5] },
    ]);
  });

  it('of people are missing when they have another type than their metric', () => {
    const rules = rulesOf([
      aRule('stars', { type: 'HUMAN' }),
      aRule('good', { type: 'HUMAN', return_type: 'boolean' }),
      aRule('tone', { type: 'HUMAN', return_type: 'categorical' }),
      aRule('note', { type: 'HUMAN', return_type: 'string' }),
    ]);
    const wrong = { stars: true, good: 1, tone: 4, note: 5 };
    const events = [anEvent('s', wrong), anEvent('t', { stars: 4, good: false })];
    expect(resultOf(events, { rules }).metrics.details).toMatchObject([
      { metric_name: 'stars', values: [4] },
      { metric_name: 'good', values: [0] },
    ]);
  });

  it('of categorical metrics are the scores of the categories', () => {
    const categories = [
      { category: 'good', score: 5 },
      { category: 'odd', score: null },
    ];
    const threshold = { passing_categories: ['good'] };
    const rules = rulesOf([aRule('tone', { return_type: 'categorical', categories, threshold })]);
    const result = resultOf([anEvent('s', { tone: 'good' }), anEvent('t', { tone: 'odd' })], { rules });
    expect(result).toMatchObject({ passed: ['s'], failed: ['t'] });
    expect(result.datapoints.map(({ metrics }) => metrics[0]?.value)).toEqual([5, null]);
    expect(result.metrics.details).toMatchObject([
      { values: [5], datapoints: { passed: ['s'], failed: ['t'] } },
    ]);
  });
});

describe('passing', () => {
  const scores = [anEvent('s', { a: 1, b: 1 }), anEvent('t', { a: 0, b: 1 })];

  it('needs every score of the session', () => {
    const rules = rulesOf([aRule('a', { threshold: { min: 0.5 } })]);
    const result = resultOf(scores, { rules });
    expect(result).toMatchObject({ success: false, passed: ['s'], failed: ['t'] });
    expect(result.metrics.details).toMatchObject([
      { metric_type: 'PYTHON', passing_range: { min: 0.5 }, datapoints: { passed: ['s'], failed: ['t'] } },
      { metric_type: 'CLIENT_SIDE', datapoints: { passed: ['s', 't'], failed: [] } },
    ]);
    expect(result.metrics.details[1]).not.toHaveProperty('passing_range');
  });

  it('follows the ranges of the run for metrics without a threshold of their own', () => {
    const rules = rulesOf([aRule('a', { threshold: { min: 2 } }), aRule('b')], {
      a: { max: 0 },
      b: { max: 0 },
    });
    expect(resultOf(scores, { rules }).metrics.details.map((one) => one.passing_range)).toEqual([
      { min: 2 },
      { max: 0 },
    ]);
  });

  it('is granted to a session without scores', () => {
    expect(resultOf([aSession('s')])).toMatchObject({
      success: true,
      passed: ['s'],
      metrics: { details: [] },
    });
  });

  it('fails with an error and no score, and says so; with a score the score decides', () => {
    const ends = { hasError: true };
    const lost = ['a', 'b'].flatMap((id) => [aSession(id, { ...ends, datapointId: id }), anEvent(id, {})]);
    const scored = [aSession('c', { ...ends, datapointId: 'c' }), anEvent('c', { score: 1 })];
    expect(resultOf([...lost, ...scored])).toMatchObject({
      success: false,
      passed: ['c'],
      failed: ['a', 'b'],
      error: '2 datapoints ended with an error and have no score',
      datapoints: [{ has_error: true, passed: false }, { has_error: true, passed: false }, { passed: true }],
    });
  });

  it('is one of a datapoint, which passes when all its trials do, with n, mean and spread of each', () => {
    const trial = (datapointId: string, id: string, score: number) => [
      aSession(id, { datapointId }),
      anEvent(id, { score }, { datapointId }),
    ];
    const result = resultOf(
      [...trial('d0', 's0', 1), ...trial('d0', 's1', 0), ...trial('d1', 's2', 1), ...trial('d1', 's3', 0.75)],
      { rules: rulesOf([aRule('score', { threshold: { min: 0.5 } })]) },
    );
    expect(result).toMatchObject({ success: false, passed: ['d1'], failed: ['d0'] });
    expect(result.metrics.details).toMatchObject([
      {
        values: [1, 0, 1, 0.75],
        datapoints: { passed: ['d1'], failed: ['d0'] },
        // The deviation of 1 and 0 from 0.5, and of 1 and 0.75 from 0.875, as samples of two.
        trials: [
          { datapoint_id: 'd0', n: 2, mean: 0.5, spread: Math.sqrt(1 / 2) },
          { datapoint_id: 'd1', n: 2, mean: 0.875, spread: Math.sqrt(1 / 32) },
        ],
      },
    ]);
  });

  it.each(['failed', 'cancelled'] as const)('is no success when the run is %s', (status) => {
    expect(resultOf([aSession('s')], { status })).toMatchObject({ success: false, status, passed: ['s'] });
  });

  it('is a success for a run without events', () => {
    expect(resultOf([])).toEqual({
      classifications: [],
      evaluations: {},
      status: 'completed',
      success: true,
      passed: [],
      failed: [],
      metrics: { aggregation_function: 'average', details: [] },
      datapoints: [],
      event_details: [],
    });
  });
});

describe('a composite metric', () => {
  const composite = aRule('all', {
    type: 'COMPOSITE',
    criteria: 'weighted average',
    child_metrics: [
      { name: 'a', weight: 3 },
      { name: 'b', weight: 1 },
    ],
    threshold: { min: 0.7 },
  });
  const composites = ['all'];
  const allOf = (events: readonly RunEvent[], rule = composite) =>
    resultOf(events, { rules: rulesOf([rule]) }).datapoints.map(({ passed, metrics }) => ({
      passed,
      values: metrics.filter(({ name }) => name === 'all').map(({ value }) => value),
    }));

  it('is computed from the children on its event', () => {
    expect(
      allOf([anEvent('s', { a: 1, b: 0 }, { composites }), anEvent('t', { a: 0, b: 1 }, { composites })]),
    ).toEqual([
      { passed: true, values: [0.75] },
      { passed: false, values: [0.25] },
    ]);
  });

  it('is computed on a session from the children on all its events', () => {
    const other = anEvent('s', { a: 0, b: 1 }, { eventId: 'other', eventName: 'search' });
    // a is (1 + 0) / 2, b is 1: (0.5 · 3 + 1) / 4.
    expect(allOf([aSession('s', { composites }), anEvent('s', { a: 1 }), other])).toEqual([
      { passed: false, values: [0.625] },
    ]);
  });

  it.each([
    [
      'is stored on an event of the session',
      anEvent('s', { a: 1, b: 1, all: 0.9 }, { composites }),
      composite,
      [0.9],
    ],
    ['was deleted', anEvent('s', { a: 1 }, { composites }), { ...composite, is_active: false }, []],
    ['does not apply to the event', anEvent('s', { a: 1 }), composite, []],
    ['has no children with scores', anEvent('s', { c: 1 }, { composites }), composite, []],
  ])('is not computed when it %s', (_title, event, rule, values) => {
    expect(allOf([event], rule)[0]?.values).toEqual(values);
  });
});
