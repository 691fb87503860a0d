import { newMetric, changedMetric, type MetricDefinition } from '../../resources/metric.js';
import { checkStoredFilters } from './stored-filters.js';

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
