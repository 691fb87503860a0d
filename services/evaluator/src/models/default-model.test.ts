import { ConfigError } from '@assay/runtime';
import { llmMetric } from '../../test/judge-fixture.js';
import { metricOf } from '../../test/metric-fixture.js';
import { withDefaultModel } from '@assay/domain';
import { defaultModelOf } from './default-model.js';

const model = { provider: 'openai', name: 'gpt-4o' };

describe('the default model', () => {
  test.each([
    [undefined, undefined, undefined],
    ['openai', 'gpt-4o', model],
  ])('of the settings %j and %j is %j', (llmDefaultProvider, llmDefaultModel, expected) => {
    expect(defaultModelOf({ llmDefaultProvider, llmDefaultModel })).toEqual(expected);
  });

  test.each([
    ['openai', undefined],
    [undefined, 'gpt-4o'],
  ])('is a mistake with the settings %j and %j', (llmDefaultProvider, llmDefaultModel) => {
    expect(() => defaultModelOf({ llmDefaultProvider, llmDefaultModel })).toThrow(ConfigError);
  });

  test.each<[string | null, string | null, string | null, string | null]>([
    [null, null, 'openai', 'gpt-4o'],
    ['openai', null, 'openai', 'gpt-4o'],
    [null, 'other', 'openai', 'other'],
    ['anthropic', null, 'anthropic', null],
    ['anthropic', 'claude', 'anthropic', 'claude'],
  ])('completes the model %j %j to %j %j', (model_provider, model_name, provider, name) => {
    const metric = llmMetric({ model_provider, model_name });
    const expected = { ...metric, model_provider: provider, model_name: name };
    expect(withDefaultModel(metric, model)).toEqual(expected);
    expect(withDefaultModel(metric, undefined)).toBe(metric);
  });

  it('is not that of other types', () => {
    const metric = metricOf('m');
    expect(withDefaultModel(metric, model)).toBe(metric);
  });
});
