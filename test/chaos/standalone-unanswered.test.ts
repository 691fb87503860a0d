import { randomUUID } from 'node:crypto';
import { startFaultProxy, waitFor } from '@assay/testing';
import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

/** The requests of one client; sent again, they are the same to the letter. */
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

const KEPT = ['created', 'in a batch', 'under a key', 'updated'];

describe('the single process, killed after it kept something and before the client heard of it', () => {
  const { stack } = onStack(() => startStandalone());

  it('still has it after the restart, and has it once when the client sends it again', async () => {
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
    const namesKept = async () => {
      const filters = [{ field: 'metadata.unanswered', operator: 'is', value: ids.created, type: 'string' }];
      const { events } = await direct.search({ filters });
      return events.map((event) => String(event.event_name)).sort();
    };
    const deletedIsGone = async () =>
      (await direct.call('GET', `/v1/events/${ids.deleted}`, { headers: { prefer: 'wait=10' } })).status ===
      404;

    const send = requestsOf(
      new Client({ baseUrl: `http://${proxy.address}`, apiKey: stack.apiKey }),
      ids,
      randomUUID(),
    );
    proxy.become('drop-responses');
    const unheard = send();
    await waitFor(
      'everything is kept',
      async () => (await namesKept()).length === KEPT.length && (await deletedIsGone()),
      { withinMs: 30_000 },
    );
    await stack.kill('standalone');
    expect((await unheard).map(({ status }) => status)).toEqual(Array<string>(5).fill('rejected'));

    await stack.start('standalone');
    expect(await namesKept()).toEqual(KEPT);
    expect(await deletedIsGone()).toBe(true);

    proxy.become('none');
    const heard = await send();
    expect(heard.map((outcome) => outcome.status === 'fulfilled' && outcome.value.status)).toEqual(
      Array<number>(5).fill(200),
    );
    expect(await namesKept()).toEqual(KEPT);
    expect(await deletedIsGone()).toBe(true);
    await proxy.close();
  }, 120_000);
});
