import { randomUUID } from 'node:crypto';
import { startFaultProxy, waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

/** The requests of one client; each call sends the same bytes. */
function requestsOf(
  client: Client,
  ids: { created: string; batch: string; updated: string; deleted: string },
  key: string,
) {
  const event = { event_type: 'tool', inputs: {}, metadata: { unanswered: ids.created } };
  return () =>
    Promise.allSettled([
      client.post('/v1/events', { ...event, event_name: 'created', event_id: ids.created }),
      client.post('/v1/events/batch', {
        events: [{ ...event, event_name: 'in a batch', event_id: ids.batch }],
      }),
      client.post(
        '/v1/events',
        { ...event, event_name: 'under a key' },
        { headers: { 'idempotency-key': key } },
      ),
      client.call('PUT', `/v1/events/${ids.updated}`, { body: { metadata: { unanswered: ids.created } } }),
      client.call('DELETE', `/v1/events/${ids.deleted}`),
    ]);
}

const STORED = ['created', 'in a batch', 'under a key', 'updated'];

describe('the standalone process, killed after it stored a change and before the client got the response', () => {
  const { stack } = onStack(() => startStandalone());

  it('has the change after the restart, and has it once after the client retries', async () => {
    const proxy = await startFaultProxy(new URL(stack.baseUrl).host);
    const direct = new Client(stack);
    const ids = { created: randomUUID(), batch: randomUUID(), updated: randomUUID(), deleted: randomUUID() };
    for (const name of ['updated', 'deleted'] as const) {
      const created = await direct.post('/v1/events', {
        event_type: 'tool',
        event_name: name,
        event_id: ids[name],
        inputs: {},
      });
      expect(created.status).toBe(200);
    }
    const storedNames = async () => {
      const filters = [{ field: 'metadata.unanswered', operator: 'is', value: ids.created, type: 'string' }];
      const { events } = await direct.search({ filters });
      return events.map((event) => String(event.event_name)).sort();
    };
    const isDeleted = async () =>
      (await direct.call('GET', `/v1/events/${ids.deleted}`, { headers: { prefer: 'wait=30' } })).status ===
      404;

    const send = requestsOf(
      new Client({ baseUrl: `http://${proxy.address}`, apiKey: stack.apiKey }),
      ids,
      randomUUID(),
    );
    proxy.become('drop-responses');
    const lost = send();
    await waitFor(
      'everything is stored',
      async () => (await storedNames()).length === STORED.length && (await isDeleted()),
      { withinMs: 120_000 },
    );
    await stack.kill('standalone');
    expect((await lost).map(({ status }) => status)).toEqual(Array<string>(5).fill('rejected'));

    await stack.start('standalone');
    expect(await storedNames()).toEqual(STORED);
    expect(await isDeleted()).toBe(true);

    proxy.become('none');
    const retried = await send();
    expect(retried.map((outcome) => outcome.status === 'fulfilled' && outcome.value.status)).toEqual(
      Array<number>(5).fill(200),
    );
    expect(await storedNames()).toEqual(STORED);
    expect(await isDeleted()).toBe(true);
    await proxy.close();
  }, 120_000);
});
