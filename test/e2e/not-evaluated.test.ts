import type { listEventEvaluations, ResponseOf } from '@assay/contracts';
import { waitFor } from '@assay/testing';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

type Evaluations = ResponseOf<typeof listEventEvaluations>['evaluations'];

const PYTHON = { type: 'PYTHON', return_type: 'boolean', enabled_in_prod: true, sampling_percentage: 100 };
const WAIT = { prefer: 'wait=30' };

describe('an event that arrived before a metric', () => {
  const { client } = onStack(startStandalone);

  async function decisionsOf(id: string): Promise<Readonly<Record<string, string>>> {
    const response = await client.call('GET', `/v1/events/${id}/evaluations`, { headers: WAIT });
    const { evaluations } = response.json<{ evaluations: Evaluations }>();
    for (const { decision, decided_at: at } of evaluations)
      if (decision === 'not_evaluated') expect(at).toBeNull();
    return Object.fromEntries(evaluations.map((one) => [one.metric_name, one.decision]));
  }

  it('is not evaluated, unless a client has sent the score, until a job does it', async () => {
    const event = {
      event_type: 'tool',
      event_name: 'early',
      inputs: {},
      outputs: {},
      metrics: { sent: true },
    };
    const { event_id: id } = (await client.post('/v1/events', event)).json<{ event_id: string }>();
    await client.call('GET', `/v1/events/${id}`, { headers: WAIT });
    const filterArray = [{ field: 'event_name', operator: 'is', value: 'other', type: 'string' }];
    const metrics = [{ name: 'late' }, { name: 'sent' }, { name: 'of others', filters: { filterArray } }];
    const created = [];
    for (const metric of metrics) {
      const response = await client.post('/v1/metrics', { ...PYTHON, criteria: 'result = True', ...metric });
      created.push(response.json<{ metric_id: string }>().metric_id);
    }
    await waitFor('the metrics are known', async () => Object.keys(await decisionsOf(id)).length === 2);
    expect(await decisionsOf(id)).toEqual({ late: 'not_evaluated', 'of others': 'not_matching' });

    const filters = [{ field: 'event_id', operator: 'is', value: id, type: 'string' }];
    expect((await client.post(`/v1/metrics/${created[0]}/evaluate`, { filters })).status).toBe(200);
    await waitFor('it is scored', async () => (await decisionsOf(id))['late'] === 'scored');
  });
});
