import { newMetric, changedMetric, type MetricDefinition } from '../../resources/metric.js';
import { checkArrivalFilters, checkStoredFilters } from './stored-filters.js';

const searched = (length: number, operator = 'contains') => ({
  field: 'inputs.t',
  operator,
  value: 'x'.repeat(length),
});

describe('filters that are stored', () => {
  it('search for at most 1,000 characters', () => {
    expect(() => checkStoredFilters([searched(1_000), searched(65_536, 'is')], 'query')).not.toThrow();
    for (const operator of ['contains', 'not contains', 'Not  Contains'])
      expect(() => checkStoredFilters([searched(1), searched(1_001, operator)], 'query')).toThrow(
        /^query\[1\]\.value must not be longer than 1000 characters with the operator (not )?contains$/,
      );
  });

  it('of an earlier release stay as they are in a metric that is changed', () => {
    const metric = newMetric({ name: 'm', type: 'PYTHON', criteria: 'result = 1' });
    const earlier: MetricDefinition = { ...metric, filters: { filterArray: [searched(60_000)] } };
    expect(changedMetric(earlier, { description: 'new' }).filters).toEqual(earlier.filters);
    const error = /^filters\.filterArray\[0\]\.value must not be longer/;
    expect(() => changedMetric(metric, { filters: earlier.filters })).toThrow(error);
    expect(() => newMetric({ ...metric, filters: earlier.filters })).toThrow(error);
  });
});

describe('filters on events that arrive', () => {
  const derived = [
    'duration',
    'end_time',
    'metadata.num_events',
    'metadata.num_errors',
    'metadata.has_feedback',
    'metadata.cost',
  ];
  it.each(derived)('are refused on %s, which sessions derive, unless they exclude sessions', (field) => {
    const filter = { field, operator: 'exists' };
    const other = { field: 'start_time', value: { $gt: 1, $lt: 2 } };
    expect(() => checkArrivalFilters([other, filter], 'filters')).toThrow(
      new RegExp(
        `^filters\\[1\\]\\.field is ${field}, which .*: add a filter that event_type is not session, or search .* as event_ids$`,
      ),
    );
    const ofSessions = { field: 'event_type', value: 'session' };
    expect(() => checkArrivalFilters([ofSessions, filter], 'filters')).toThrow(/^filters\[1\]\.field/);
    for (const excluding of [
      { field: 'event_type', operator: 'is not', value: 'session' },
      { field: 'event_type', value: 'model' },
      { field: 'event_type', operator: 'in', value: ['tool', 'chain'] },
    ])
      expect(() => checkArrivalFilters([filter, excluding], 'filters')).not.toThrow();
    expect(() => checkStoredFilters([filter], 'filters')).not.toThrow();
  });

  it('of a metric and of its change are checked, and may name what sessions derive', () => {
    const filters = { filterArray: [{ field: 'duration', operator: 'greater than', value: 5 }] };
    const metric = newMetric({ name: 'm', type: 'PYTHON', criteria: 'result = 1' });
    expect(newMetric({ ...metric, filters }).filters).toEqual(filters);
    expect(changedMetric(metric, { filters }).filters).toEqual(filters);
    const wrong = { filterArray: [{ field: 'inputs.0.a', operator: 'is', value: 5 }] };
    expect(() => newMetric({ ...metric, filters: wrong })).toThrow(/^filters.filterArray\[0\].field/);
    expect(changedMetric({ ...metric, filters }, { description: 'new' }).filters).toEqual(filters);
  });
});
