import { connectAgent, type Agent } from '../harness/agents/connect-agent.js';
import { Client } from '../harness/stack/client.js';
import { startEmbeddedSplit, type EmbeddedSplit } from '../harness/stack/start-embedded-split.js';

describe('the tools of agents of a data plane with a control plane of its own', () => {
  let split: EmbeddedSplit;
  let agent: Agent;
  beforeAll(async () => {
    split = await startEmbeddedSplit({});
    agent = await connectAgent({ baseUrl: split.baseUrl, key: split.apiKey });
  }, 120_000);
  afterAll(async () => {
    await agent?.close();
    expect(await split?.stop()).toBe(true);
  }, 60_000);

  it('create a dataset from events through the proxy, in the name of the key', async () => {
    const client = new Client(split);
    const event = {
      event_type: 'model',
      event_name: 'asked',
      inputs: { question: 'Why?' },
      outputs: { answer: 'So.' },
    };
    const { event_id } = (await client.post('/v1/events', event)).json<{ event_id: string }>();
    await client.search({ filters: [{ field: 'event_id', operator: 'is', value: event_id }] });
    const created = await agent.call('create_dataset_from_events', { name: 'asked', event_ids: [event_id] });
    expect(created.json()).toMatchObject({ datapoints: 1, failed_count: 0 });
    const { dataset_id } = created.json<{ dataset_id: string }>();
    expect((await agent.call('list_datasets', { dataset_id })).json()).toMatchObject({
      datasets: [{ name: 'asked' }],
    });

    const entries = await client.call('GET', '/v1/audit-entries', { key: split.adminToken });
    expect(entries.text).toContain(dataset_id);
  });

  it('read metrics of the control plane, and name the field that it refuses', async () => {
    expect((await agent.call('list_metrics')).json()).toEqual({ metrics: [] });
    const unknown = await agent.call('get_metric', { metric_id: 'no-such-metric' });
    expect(unknown).toMatchObject({ isError: true, text: expect.stringMatching(/404\)$/) as string });
  });
});
