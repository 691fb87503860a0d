import { changedMetric, checkVersionContent, definitionOf, newMetric } from './metric.js';

const python = { name: 'm', type: 'PYTHON', criteria: 'def f(event): return 1' } as const;

describe('a metric', () => {
  it('has the defaults of the contract', () => {
    expect(newMetric(python)).toEqual({
      ...python,
      description: '',
      return_type: 'float',
      direction: 'higher',
      enabled_in_prod: false,
      needs_ground_truth: false,
      sampling_percentage: 10,
      model_provider: null,
      model_name: null,
      scale: null,
      threshold: null,
      categories: null,
      child_metrics: null,
      filters: { filterArray: [] },
    });
    expect(newMetric({ ...python, type: 'HUMAN' }).enabled_in_prod).toBe(true);
    expect(newMetric({ ...python, type: 'HUMAN', enabled_in_prod: false }).enabled_in_prod).toBe(false);
  });

  it('of other metrics must name them when it is created or updated', () => {
    expect(() => newMetric({ ...python, type: 'COMPOSITE' })).toThrow(
      'child_metrics is required for type COMPOSITE',
    );
    for (const return_type of ['string', 'categorical'] as const)
      expect(() =>
        newMetric({ ...python, type: 'COMPOSITE', child_metrics: [{ name: 'a', weight: 1 }], return_type }),
      ).toThrow('return_type must be float or boolean for type COMPOSITE');
    expect(() => changedMetric(newMetric(python), { type: 'COMPOSITE' })).toThrow(
      'child_metrics is required',
    );
    const composite = newMetric({ ...python, type: 'COMPOSITE', child_metrics: [{ name: 'a', weight: 1 }] });
    expect(() => changedMetric(composite, { child_metrics: null })).toThrow('child_metrics is required');
    expect(changedMetric(composite, { type: 'PYTHON', child_metrics: null })).toMatchObject({
      child_metrics: null,
    });
  });

  it('of other metrics cannot be a boolean when its function is a weighted one', () => {
    const boolean = { ...python, type: 'COMPOSITE', return_type: 'boolean' } as const;
    const child_metrics = [{ name: 'a', weight: 1 }];
    const message = 'criteria must be hierarchical highest true, minimum or maximum';
    for (const criteria of ['weighted average', 'Weighted_Sum', 'any other text'])
      expect(() => newMetric({ ...boolean, child_metrics, criteria }, 'content.')).toThrow(
        `content.${message}`,
      );
    for (const criteria of ['Hierarchical-Highest-True', 'min', 'maximum']) {
      const composite = newMetric({ ...boolean, child_metrics, criteria });
      expect(() => changedMetric(composite, { criteria: 'weighted sum' })).toThrow(message);
      const float = changedMetric(composite, { criteria: 'weighted sum', return_type: 'float' });
      expect(() => changedMetric(float, { return_type: 'boolean' })).toThrow(message);
    }
  });

  it('cannot require more than its scale allows', () => {
    expect(() => newMetric({ ...python, threshold: { min: 2, max: 1 } })).toThrow(
      'threshold.min must not be above threshold.max',
    );
    expect(newMetric({ ...python, threshold: { min: 1, max: 1 } }).threshold).toEqual({ min: 1, max: 1 });
  });

  it('is rejected with a filter that no event can match', () => {
    expect(() =>
      newMetric({ ...python, filters: { filterArray: [{ field: 'a', operator: 'like', value: 1 }] } }),
    ).toThrow('filters.filterArray[0].operator');
    expect(() =>
      newMetric({ ...python, filters: { filterArray: [{ field: 'a', value: 1, type: 'id' }] } }, 'content.'),
    ).toThrow('content.filters.filterArray[0].type');
  });

  it('changes only in the given fields', () => {
    const metric = newMetric({ ...python, description: 'd', scale: 5, direction: 'lower' });
    expect(changedMetric(metric, { name: 'n', scale: null, description: undefined })).toEqual({
      ...metric,
      name: 'n',
      scale: null,
    });
    expect(definitionOf({ ...metric, ...{ id: 'x' } })).toEqual(metric);
  });

  it('of a model names it in a version', () => {
    const content = newMetric({ ...python, type: 'LLM', model_provider: 'openai' });
    expect(() => checkVersionContent(content)).toThrow('content.model_name is required for type LLM');
    expect(() => checkVersionContent({ ...content, model_provider: null })).toThrow(
      'content.model_provider is required for type LLM',
    );
    expect(() => checkVersionContent({ ...content, model_name: 'gpt-4o' })).not.toThrow();
    expect(() => checkVersionContent(newMetric(python))).not.toThrow();
  });
});
