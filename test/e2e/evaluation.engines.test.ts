import type { StatusResponse } from '@assay/contracts';
import { waitFor } from '@assay/testing';
import { runCommand } from '../harness/processes/run-command.js';
import { Client } from '../harness/stack/client.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { EVALUATION_SETTINGS, evaluationJourney } from './evaluation-journey.js';
import { exactIntegerMetricsJourney } from './exact-integer-metrics-journey.js';
import { judgeJourney, onFakeModel } from './judge-journey.js';
import { killedJudgeJourney } from './killed-judge-journey.js';
import { loggedKeyJourney } from './logged-key-journey.js';
import { quietSessionJourney } from './quiet-session-journey.js';
import { runMetricJourney } from './run-metric-journey.js';
import { slowJudgeJourney } from './slow-judge-journey.js';
import { stoppedJobJourney } from './stopped-job-journey.js';
import { tryMetricJourney } from './try-metric-journey.js';

const REQUEST = {
  metric: { name: 'length', type: 'PYTHON', criteria: 'result = len(outputs["content"])' },
  event: { outputs: { content: 'four' } },
};

describe('evaluation in a separate process', () => {
  const model = onFakeModel();
  const started = evaluationJourney(
    () =>
      startSplit(enginesFromEnvironment(), {
        evaluator: { ...EVALUATION_SETTINGS, ...model.environment() },
      }),
    'evaluator',
  );
  const { stack, client } = started;
  judgeJourney(started, model, 'evaluator');
  killedJudgeJourney(started, model, 'evaluator', ['with responses on the way']);
  stoppedJobJourney(started, model, ['control-plane', 'evaluator']);
  // The data plane proxies these to the evaluator.
  runMetricJourney(started, model);
  tryMetricJourney(started, model);
  quietSessionJourney(started, 'evaluator');
  exactIntegerMetricsJourney(started, model);

  it('is part of the status and of the findings of the data plane, also while the evaluator is unavailable', async () => {
    const status = async () => (await client.call('GET', '/v1/status')).json<StatusResponse>();
    const environment = {
      ASSAY_URL: stack.baseUrl,
      ASSAY_API_KEY: stack.apiKey,
      ASSAY_ADMIN_URL: stack.adminUrl('data-plane'),
    };
    const { stages, ...running } = await status();
    expect(running).toMatchObject({
      plane: 'data-plane',
      python: { available: true, reason: null },
      providers: ['proxy'],
      provider_states: [{ name: 'proxy', state: 'available', paused_until: null }],
      evaluator_reason: null,
    });
    expect(stages.map(({ name }) => name)).toEqual(['accepted', 'stored', 'evaluated', 'forwarded']);
    expect((await runCommand(['status'], environment)).stdout).toMatch(
      /\nPython: +available\nproviders: +proxy\n/,
    );
    const healthy = await runCommand(['doctor'], environment);
    expect(healthy.stdout).toContain('ok     evaluator: responds, Python sandbox available');
    await stack.terminate('evaluator');
    const stopped = await waitFor('the evaluator is unknown', async () => {
      const found = await status();
      return found.evaluator_reason === null ? undefined : found;
    });
    expect([stopped.python, stopped.providers]).toEqual([null, null]);
    const { code, stdout } = await runCommand(['doctor'], environment);
    expect([code, stdout]).toEqual([1, expect.stringContaining('FAULT  evaluator: evaluator unreachable\n')]);
    expect((await runCommand(['status'], environment)).stdout).toContain(
      'evaluator:  state not known: evaluator unreachable',
    );
    await stack.start('evaluator');
    await waitFor('the evaluator is known again', async () => (await status()).providers !== null);
  });

  it('reports its models to the control plane, which warns of metrics that lack one', async () => {
    const judge = { name: 'rated', type: 'LLM', criteria: 'Rate', model_provider: 'openai', model_name: 'm' };
    const created = await client.post('/v1/metrics', judge);
    expect(created.json()).toEqual({ inserted: true, metric_id: expect.any(String) as string });
    const nameless = { ...judge, model_provider: null, model_name: null };
    expect((await client.post('/v1/metrics', nameless)).json()).toMatchObject({
      warnings: [expect.stringMatching(/^the metric names no model/) as string],
    });
    await stack.terminate('evaluator');
    await stack.start('evaluator', { LLM_PROXY_URL: '' });
    const path = `/v1/metrics/${created.json<{ metric_id: string }>().metric_id}`;
    const warned = await waitFor('the metric has warnings', async () => {
      const { warnings } = (await client.call('GET', path)).json<{ warnings?: string[] }>();
      return warnings;
    });
    expect(warned).toEqual([expect.stringMatching(/^no endpoint is configured for model_provider/)]);
    await stack.terminate('evaluator');
    await stack.start('evaluator', model.environment());
  });

  it('refuses callers other than the data plane', async () => {
    const evaluator = new Client({ baseUrl: stack.urlOf('evaluator'), apiKey: stack.apiKey });
    const response = await evaluator.post('/v1/metrics/run', REQUEST);
    expect([response.status, response.json()]).toMatchObject([401, { errorCode: 'UNAUTHORIZED' }]);
  });

  loggedKeyJourney(started, model);
  // The last one: thousands of evaluations wait at its end.
  slowJudgeJourney(started, model, 10_000);
});
