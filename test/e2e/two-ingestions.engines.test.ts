import { randomUUID } from 'node:crypto';
import { onStack } from '../harness/stack/on-stack.js';
import { enginesFromEnvironment, startSplit } from '../harness/stack/start-split.js';

describe('two ingestion processes', () => {
  const { stack, client } = onStack(() => startSplit(enginesFromEnvironment(), { ingestions: 2 }));
  const small = { event_type: 'tool', inputs: {} };
  const sendTo = async (service: string, body: object, key: string) =>
    fetch(`${stack.urlOf(service)}/v1/events`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        authorization: `Bearer ${stack.apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
    });

  it('create one event for a repeated request and reject another body with its key', async () => {
    const key = randomUUID();
    const first = await sendTo('ingestion', small, key);
    const again = await sendTo('ingestion-2', small, key);
    const made: unknown = await first.json();
    expect([first.status, again.status, await again.json()]).toEqual([200, 200, made]);
    for (const service of ['ingestion-2', 'ingestion']) {
      const other = await sendTo(service, { ...small, inputs: { other: true } }, key);
      expect([other.status, await other.json()]).toMatchObject([409, { errorCode: 'CONFLICT' }]);
    }
    const { session_id } = made as { session_id: string };
    expect(
      (
        await client.search({
          filters: [{ field: 'session_id', operator: 'is', value: session_id, type: 'string' }],
        })
      ).count,
    ).toBe(2);
  });

  it('accept one of two concurrent requests with the same key', async () => {
    for (let round = 0; round < 5; round++) {
      const key = randomUUID();
      const sent = ['ingestion', 'ingestion-2'].map((service, index) =>
        sendTo(service, { ...small, inputs: { index } }, key),
      );
      const statuses = (await Promise.all(sent)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, 409]);
    }
  });

  it('list the requests that each of them has rejected', async () => {
    const wrong = { event_type: 'tool', inputs: {}, start_time: 'no number' };
    expect((await sendTo('ingestion-2', wrong, randomUUID())).status).toBe(400);
    const rejectedBy = async (service: string) => {
      const headers = { authorization: `Bearer ${stack.apiKey}` };
      const response = await fetch(`${stack.urlOf(service)}/v1/ingest/rejections`, { headers });
      const { rejections } = (await response.json()) as { rejections: { field: string | null }[] };
      return rejections.filter(({ field }) => field === 'start_time').length;
    };
    expect([await rejectedBy('ingestion'), await rejectedBy('ingestion-2')]).toEqual([0, 1]);
  });

  it('keep accepting during an outage of the control plane, each with its local idempotency cache', async () => {
    const key = randomUUID();
    await sendTo('ingestion', small, randomUUID());
    await sendTo('ingestion-2', small, randomUUID());
    await stack.kill('control-plane');
    const first = await sendTo('ingestion', small, key);
    const again = await sendTo('ingestion-2', small, key);
    expect([first.status, again.status, ((await again.json()) as { event_id: string }).event_id]).toEqual([
      200,
      200,
      ((await first.json()) as { event_id: string }).event_id,
    ]);
    expect((await sendTo('ingestion', { ...small, inputs: { n: 1 } }, key)).status).toBe(409);
    await stack.start('control-plane');
  });
});
