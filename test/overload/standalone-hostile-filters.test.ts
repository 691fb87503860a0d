import { waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { describeHostileFilters } from './hostile-filters.js';

describe('the standalone process', () => {
  const { stack } = onStack(() => startStandalone({ LOG_LEVEL: 'error' }));
  describeHostileFilters('in one process', () => stack);

  it('answers after a kill while events are matched with such filters, so that they can be deleted', async () => {
    await stack.kill('standalone');
    await stack.start('standalone');
    const client = new Client(stack);
    const event = { event_type: 'tool', event_name: 'after the kill', inputs: {} };
    const made = await client.post('/v1/events', event);
    expect(made.status).toBe(200);
    const { event_id: eventId } = made.json<{ event_id: string }>();
    const isStored = async () => (await client.call('GET', `/v1/events/${eventId}`)).status === 200;
    await waitFor('the next event is stored', isStored, { withinMs: 100_000 });
  }, 120_000);
});
