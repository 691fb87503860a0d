import { acceptChartMeasure, checkChartGroup, checkChartMeasure } from './chart-measure.js';

const check = (metric: string, func: string | null = null) => checkChartMeasure({ metric, func });

describe('what a chart shows', () => {
  it.each<[string, string | null]>([
    ['duration', 'p95'],
    ['duration', null],
    ['metrics.accuracy', 'AVG'],
    ['metadata.usage.total_tokens', 'sum'],
    ['accuracy', 'median'],
    ['answer quality (v2)', 'max'],
    ['event_name', 'distinct'],
    ['session_name', 'count'],
    ['session_id', null],
    ['inputs', 'count'],
  ])('may be %s aggregated by %s', (metric, func) => {
    expect(() => check(metric, func)).not.toThrow();
  });

  it.each<[string, string | null, string]>([
    ['duration', '', 'func must be one of: count, distinct, sum'],
    ['duration', 'p101', 'func must be one of'],
    ['duration', 'constructor', 'func must be one of'],
    ['duration.x', null, 'metric must be a field of events'],
    ['metadata..x', null, 'metric must be a field of events'],
    ['metadata.', null, 'metric must be a field of events'],
    ['session_name.x', null, 'metric must be a field of events'],
    [' ', null, 'metric must be a field of events, or the name of a metric'],
    ['a\nb', null, 'or the name of a metric'],
    ['x'.repeat(201), null, 'or the name of a metric'],
    ['event_name', 'sum', 'func must be count or distinct for the metric event_name'],
    ['session_name', 'avg', 'func must be count or distinct for the metric session_name'],
    ['children_ids', 'max', 'func must be count or distinct'],
    ['metadata', 'avg', 'func must be count or distinct for the metric metadata'],
  ])('must not be %j aggregated by %s', (metric, func, message) => {
    expect(() => check(metric, func)).toThrow(message);
  });
});

describe('the value of a chart', () => {
  it.each<[string, string | null, unknown]>([
    ['duration', null, { field: 'duration', aggregation: { kind: 'average' } }],
    ['accuracy', null, { field: 'metrics.accuracy', aggregation: { kind: 'average' } }],
    ['event_name', null, { field: 'event_name', aggregation: { kind: 'count' } }],
    ['duration', 'Mean', { field: 'duration', aggregation: { kind: 'average' } }],
    ['duration', 'MEDIAN', { field: 'duration', aggregation: { kind: 'quantile', level: 0.5 } }],
    ['metadata.cost', 'p98', { field: 'metadata.cost', aggregation: { kind: 'quantile', level: 0.98 } }],
    ['session_id', 'distinct', { field: 'session_id', aggregation: { kind: 'distinct' } }],
  ])('%s by %s is %j', (metric, func, expected) => {
    expect(acceptChartMeasure({ metric, func })).toEqual(expected);
  });

  it.each(['', 'nothing', 'duration.x', 'metadata.', "x'; --"])('is not grouped by %j', (groupBy) => {
    expect(() => checkChartGroup(groupBy)).toThrow('groupBy must be a field of events');
  });
});
