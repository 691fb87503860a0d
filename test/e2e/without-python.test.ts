import { randomUUID } from 'node:crypto';
import type { StatusResponse } from '@assay/contracts';
import { waitFor } from '@assay/testing';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { onFakeModel } from './judge-journey.js';

interface Evaluation {
  readonly metric_name: string;
  readonly decision: string;
}

const PATIENT = { withinMs: 90_000, pollIntervalMs: 100 } as const;
const REASON =
  'PYTHON metrics cannot be evaluated: python3 cannot be started (ENOENT): ' +
  'CPython 3.9 or later is not installed, or not in the PATH';
const PYTHON = { name: 'in Python', type: 'PYTHON', criteria: 'result = 1' };
const LLM = {
  ...{ name: 'by a model', type: 'LLM', criteria: 'Rate {{ outputs.text }}' },
  ...{ model_provider: 'openai', model_name: 'gpt-4o' },
};
const COMPOSITE = {
  ...{ name: 'combined', type: 'COMPOSITE', criteria: 'weighted average' },
  child_metrics: ['by a model', 'rating'].map((name) => ({ name, weight: 1 })),
};

describe('a machine without Python', () => {
  const model = onFakeModel();
  const { client } = onStack(() => startStandalone({ PATH: '', ...model.environment() }));

  async function decisionsOf(id: string): Promise<ReadonlyMap<string, Evaluation>> {
    const headers = { prefer: 'wait=30' };
    const response = await client.call('GET', `/v1/events/${id}/evaluations`, { headers });
    const { evaluations } = response.json<{ evaluations: Evaluation[] }>();
    return new Map(evaluations.map((one) => [one.metric_name, one]));
  }

  it('stores metrics of all types, evaluates by models and composites, and says why code is not run', async () => {
    const event_name = `without Python ${randomUUID()}`;
    const filterArray = [
      { field: 'event_name', operator: 'is', value: event_name, type: 'string' },
      { field: 'event_type', operator: 'is not', value: 'session', type: 'string' },
    ];
    for (const metric of [PYTHON, LLM, COMPOSITE]) {
      const enabled = { enabled_in_prod: true, sampling_percentage: 100, filters: { filterArray } };
      expect((await client.post('/v1/metrics', { ...metric, ...enabled })).status).toBe(200);
    }
    const event = {
      event_type: 'model',
      event_name,
      inputs: {},
      outputs: { text: 'abc' },
      metrics: { rating: 2 },
    };
    const { event_id } = (await client.post('/v1/events', event)).json<{ event_id: string }>();
    const isComplete = async () => {
      const found = await decisionsOf(event_id);
      const { metrics } = (await client.call('GET', `/v1/events/${event_id}`)).json<{
        event: { metrics: Record<string, unknown> };
      }>().event;
      return found.get(PYTHON.name)?.decision === 'error' && metrics[COMPOSITE.name] === 3 && found;
    };
    const found = await waitFor('an error and the scores', isComplete, PATIENT);
    expect(found.get(PYTHON.name)).toMatchObject({ error_code: 'unavailable', reason: REASON, value: null });
    expect(found.get(LLM.name)).toMatchObject({ decision: 'scored', value: 4 });
  });

  it.each(['/v1/metrics/run', '/v1/metrics/run_metric'])('%s refuses code with the reason', async (path) => {
    const response = await client.post(path, { metric: PYTHON, event: {} });
    expect([response.status, response.json()]).toEqual([
      422,
      expect.objectContaining({ errorCode: 'execution_error', message: REASON }),
    ]);
    expect((await client.post(path, { metric: LLM, event: {} })).json()).toMatchObject({ result: 4 });
  });

  it('shows the reason on each event when code is tried, and in the status', async () => {
    const response = await client.post('/v1/metrics/try', { metric: PYTHON, newest: 1 });
    expect(response.json()).toMatchObject({
      events: [{ value: null, error: { code: 'unavailable', message: REASON } }],
    });
    const status = (await client.call('GET', '/v1/status')).json<StatusResponse>();
    expect(status.python).toEqual({ available: false, reason: expect.stringContaining('python3') as string });
  });
});
