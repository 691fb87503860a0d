import { createTemplateWorkers } from '@assay/templates';
import { openEmbedded, startResourceApi } from '../../test/resource-api.js';
import { describeModelWarnings } from '../../test/model-warnings-suite.js';
import { describeMetrics } from '../../test/metrics-suite.js';

describeMetrics('on SQLite', openEmbedded);
describeModelWarnings('on SQLite', openEmbedded);

describe('metrics while the threads that read templates cannot be started', () => {
  it('are refused with 503 if they have a template; others and other resources are created', async () => {
    const api = await startResourceApi(
      openEmbedded,
      createTemplateWorkers({ program: '/missing/program.js' }),
    );
    const judge = {
      name: 'j',
      type: 'LLM',
      criteria: 'Rate',
      model_provider: 'openai',
      model_name: 'gpt-4o',
    };
    expect(await api.send('POST', '/v1/metrics', judge)).toMatchObject({
      status: 503,
      body: {
        errorCode: 'UNAVAILABLE',
        message: 'templates cannot be rendered, because their worker thread cannot be started',
      },
    });
    const others: [string, object][] = [
      ['/v1/metrics', { name: 'p', type: 'PYTHON', criteria: 'result = 1' }],
      ['/v1/metrics', { name: 'h', type: 'HUMAN', criteria: 'rate it' }],
      ['/v1/datasets', { name: 'd' }],
    ];
    for (const [path, body] of others) expect((await api.send('POST', path, body)).status).toBe(200);
    await api.stop();
  });
});
