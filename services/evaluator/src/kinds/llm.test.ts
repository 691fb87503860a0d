import type { ModelParameters } from '@assay/domain';
import type { JudgeOptions } from '@assay/judges';
import { chatCompletion, type FakeResponse } from '@assay/judges/test/fake-provider';
import { llmMetric, startFakeModel } from '../../test/judge-fixture.js';
import { storedEvent } from '../../test/metric-fixture.js';
import { llm } from './llm.js';

const limited: FakeResponse = { status: 429, headers: { 'retry-after': '120' }, body: {} };

describe('the condition of the provider', () => {
  const works = { failed: false };
  const url = (text: string) => ({ proxy: { url: text } });

  interface Case {
    readonly response?: FakeResponse;
    readonly criteria?: string;
    readonly options?: Partial<JudgeOptions>;
  }

  test.each<[string, Case, object | undefined]>([
    ['a score', { response: { body: chatCompletion('[[5]]') } }, works],
    ['a reply without a rating', { response: { body: chatCompletion('good') } }, works],
    ['status 401', { response: { status: 401, body: {} } }, works],
    ['status 429 with a long delay', {}, { failed: true, retryAfterMs: 120_000 }],
    [
      'no connection',
      { options: { ...url('http://127.0.0.1:1'), allowedHosts: ['127.0.0.1'] } },
      { failed: true },
    ],
    ['a template that cannot be rendered', { criteria: '{{ inputs.a.b }}' }, undefined],
    ['a URL that is not valid', { options: url('nowhere') }, undefined],
    [
      'an address that may not be called',
      { options: { ...url('https://127.0.0.1'), allowedHosts: [] } },
      undefined,
    ],
  ])('is derived from %s', async (_, { response = limited, criteria = 'Rate', options }, expected) => {
    const model = await startFakeModel([response], options);
    const metric = llmMetric({ criteria });
    const outcome = await llm.evaluate(model.deps, { metric, event: storedEvent() });
    await model.close();
    expect(outcome.provider).toEqual(expected);
  });
});

describe('the parameters of a metric', () => {
  test.each<[ModelParameters | undefined, object]>([
    [undefined, { temperature: 0 }],
    [
      { temperature: 1, max_tokens: 5, seed: 7 },
      { temperature: 1, max_tokens: 5, seed: 7 },
    ],
  ])('%j are sent to the model', async (model_parameters, expected) => {
    const model = await startFakeModel([{ body: chatCompletion('[[5]]') }]);
    const metric = llmMetric({ ...(model_parameters && { model_parameters }) });
    await llm.evaluate(model.deps, { metric, event: storedEvent() });
    await model.close();
    const { model: name, messages, ...sent } = model.provider.requests[0]?.body ?? {};
    expect([name, messages, sent]).toEqual(['gpt-4o', expect.any(Array), expected]);
  });
});

it('ends with an error when neither the metric nor the deployment names a model', async () => {
  const model = await startFakeModel([]);
  for (const fields of [{ model_provider: null, model_name: null }, { model_name: null }]) {
    const { result, isPostponed } = await llm.evaluate(model.deps, {
      metric: llmMetric(fields),
      event: storedEvent(),
    });
    expect([result, isPostponed]).toMatchObject([{ decision: 'error', errorClass: 'no_model' }, undefined]);
    expect(result.reason).toContain('LLM_DEFAULT_MODEL');
  }
  await model.close();
  expect(model.provider.requests).toEqual([]);
});

describe('an evaluation without a free slot for its call', () => {
  it('is postponed, and shows nothing about the provider', async () => {
    const model = await startFakeModel([() => undefined], { timeoutMs: 500 });
    const [metric, event] = [llmMetric(), storedEvent()];
    const outcomes = await Promise.all(
      Array.from({ length: 280 }, () => llm.evaluate(model.deps, { metric, event })),
    );
    await model.close();
    const postponed = outcomes.filter(({ isPostponed }) => isPostponed);
    expect(postponed.length).toBeGreaterThanOrEqual(280 - 16 - 256);
    expect(postponed.every(({ provider }) => provider === undefined)).toBe(true);
  });
});
