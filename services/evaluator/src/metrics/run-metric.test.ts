import { chatCompletion } from '@assay/judges/test/fake-provider';
import { startFakeModel } from '../../test/judge-fixture.js';
import { ProjectMetrics } from '../definitions/project-metrics.js';
import { failed } from '../judging/evaluate-metric.js';
import { makeRunMetric, toRunResponse } from './run-metric.js';

describe('the response to a run of a metric', () => {
  test.each([
    ['overloaded', true, 'OVERLOADED', 503],
    ['unavailable', true, 'UNAVAILABLE', 503],
    ['machine_busy', true, 'UNAVAILABLE', 503],
    ['execution_error', false, 'execution_error', 422],
    ['template_render_error', false, 'template_render_error', 422],
  ])('to a failure %s, postponed %s, is %s', (errorClass, isPostponed, code, status) => {
    const run = () => toRunResponse({ result: failed(errorClass, 'it failed'), isPostponed });
    expect(run).toThrow(expect.objectContaining({ code, status, message: 'it failed' }) as Error);
  });
});

describe('a run of a metric that names no model', () => {
  const request = { body: { metric: { name: 'm', type: 'LLM', criteria: 'Rate' }, event: {} } };

  test.each([
    [{ provider: 'openai', name: 'gpt-4o' }, 'gpt-4o'],
    [undefined, undefined],
  ])('asks the default model %j', async (defaultModel, expected) => {
    const model = await startFakeModel([{ body: chatCompletion('[[5]]') }]);
    const definitions = { of: () => Promise.resolve(new ProjectMetrics([])) };
    const run = makeRunMetric({ ...model.deps, definitions, defaultModel, now: () => 1_790_000_000_000 });
    const { signal } = new AbortController();
    const context = { caller: { projectId: 'p' }, signal } as Parameters<typeof run>[1];
    const response = Promise.resolve().then(() => run(request as Parameters<typeof run>[0], context));
    if (expected) expect(await response).toMatchObject({ result: 5 });
    else await expect(response).rejects.toThrow('metric.model_provider is required');
    await model.close();
    expect(model.provider.requests.map(({ body }) => body['model'])).toEqual(expected ? [expected] : []);
  });
});
