import { chatCompletion } from '@assay/judges/test/fake-provider';
import type { PythonRunner } from '@assay/python-runner';
import { createTemplateWorkers } from '@assay/templates';
import { waitFor } from '@assay/testing';
import { startFakeModel } from '../../test/judge-fixture.js';
import { failed } from '../kinds/results.js';
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
    const run = makeRunMetric({ ...model.deps, defaultModel, now: () => 1_790_000_000_000 });
    const { signal } = new AbortController();
    const context = { caller: { projectId: 'p' }, signal } as Parameters<typeof run>[1];
    const response = Promise.resolve().then(() => run(request as Parameters<typeof run>[0], context));
    if (expected) expect(await response).toMatchObject({ result: 5 });
    else await expect(response).rejects.toThrow('metric.model_provider is required');
    await model.close();
    expect(model.provider.requests.map(({ body }) => body['model'])).toEqual(expected ? [expected] : []);
  });
});

describe('a run of a metric while the threads that render templates cannot be started', () => {
  it('says so, and metrics of other types are evaluated', async () => {
    const templates = createTemplateWorkers({ program: '/missing/program.js' });
    const model = await startFakeModel([{ body: chatCompletion('[[5]]') }], { templates });
    const scored = { ok: true, value: 3, stdout: '', durationMs: 1 } as const;
    const python: PythonRunner = {
      state: { available: true, libraries: [] },
      evaluate: () => Promise.resolve(scored),
      close: () => Promise.resolve(),
    };
    const run = makeRunMetric({ ...model.deps, python, now: () => 1_790_000_000_000 });
    const { signal } = new AbortController();
    const context = { caller: { projectId: 'p' }, signal } as Parameters<typeof run>[1];
    const send = (metric: object, event: object = {}) =>
      Promise.resolve().then(() => run({ body: { metric, event } } as Parameters<typeof run>[0], context));

    const llm = { name: 'm', type: 'LLM', criteria: 'Rate', model_provider: 'openai', model_name: 'gpt-4o' };
    await expect(send(llm)).rejects.toMatchObject({
      status: 503,
      message: 'templates cannot be rendered, because their worker thread cannot be started',
    });
    expect(await send({ name: 'p', type: 'PYTHON', criteria: 'result = 3' })).toMatchObject({ result: 3 });
    await model.close();
    expect(model.provider.requests).toEqual([]);
  });
});

describe('the places of runs of metrics', () => {
  it('are bounded for a project, and are left to others while its calls hang', async () => {
    const model = await startFakeModel(
      [
        (response, { body }) =>
          JSON.stringify(body).includes('Answered')
            ? response.end(JSON.stringify(chatCompletion('[[5]]')))
            : undefined,
      ],
      { timeoutMs: 600_000 },
    );
    const run = makeRunMetric({ ...model.deps, now: () => 1_790_000_000_000 });
    const stop = new AbortController();
    const send = (projectId: string, criteria: string) => {
      const context = { caller: { projectId }, signal: stop.signal } as Parameters<typeof run>[1];
      const llm = { name: 'm', type: 'LLM', criteria, model_provider: 'openai', model_name: 'gpt-4o' };
      return Promise.resolve().then(() =>
        run({ body: { metric: llm, event: {} } } as Parameters<typeof run>[0], context),
      );
    };
    const ends: Promise<unknown>[] = [];
    const refused: unknown[] = [];
    for (const [index, taken] of [8, 16, 24, 28, 30, 31, 32, 33, 34].entries()) {
      for (let n = 0; n < 20; n++)
        ends.push(send(`hanging ${index}`, 'Rate').catch((error: unknown) => refused.push(error)));
      const isTaken = () => Promise.resolve(model.provider.requests.length === taken);
      await waitFor(`${taken} calls hang`, isTaken);
      // Eight of each project wait.
      expect(refused).toHaveLength(20 * (index + 1) - taken - 8 * (index + 1));
    }
    for (const error of refused) expect(error).toMatchObject({ code: 'OVERLOADED', status: 503 });
    for (let n = 0; n < 10; n++) expect(await send('quiet', 'Answered')).toMatchObject({ result: 5 });
    stop.abort();
    await Promise.all(ends);
    await model.close();
  });
});
