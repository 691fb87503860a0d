import { Client } from '../harness/stack/client.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';
import { EVALUATION_SETTINGS, evaluationJourney } from './evaluation-journey.js';
import { judgeJourney, onFakeModel } from './judge-journey.js';

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

  it.each(['/v1/metrics/run', '/v1/metrics/run_metric'])(
    '%s runs a metric through the data plane',
    async (path) => {
      const response = await client.post(path, REQUEST);
      expect([response.status, response.json()]).toEqual([
        200,
        { success: true, loading: false, result: 4, explanation: null },
      ]);
    },
  );

  it('refuses callers other than the data plane', async () => {
    const evaluator = new Client({ baseUrl: stack.urlOf('evaluator'), apiKey: stack.apiKey });
    const response = await evaluator.post('/v1/metrics/run', REQUEST);
    expect([response.status, response.json()]).toMatchObject([401, { errorCode: 'UNAUTHORIZED' }]);
  });
});
