import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@assay/testing';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

const SECRET = 'a-long-random-text-of-a-receiver';
const WITHIN = { withinMs: 240_000, pollIntervalMs: 500 };

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

describe('an alert', () => {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, text: Buffer.concat(chunks).toString() });
      // The first attempt fails, and is repeated.
      response.writeHead(received.length === 1 ? 503 : 200).end();
    });
  });
  const { client } = onStack(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return startStandalone({ ALERT_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => server.close());

  it('fires, is signed, repeated with the same id, and ends when its definition changes', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const start = Date.now();
    const events = [0, 30_000, 60_000, 90_000, 120_000].map((later) => ({
      ...{ event_id: randomUUID(), session_id: randomUUID(), event_type: 'tool', inputs: {} },
      start_time: start + later,
    }));
    expect((await client.post('/v1/events/batch', { events })).status).toBe(200);
    const created = await client.post('/v1/alerts', {
      ...{ name: 'many', metric: 'duration', func: 'count', threshold: 0, window_minutes: 5 },
      delay_seconds: 0,
      webhook: { url, secret: SECRET },
    });
    expect([created.status, created.text]).toEqual([200, expect.not.stringContaining(SECRET)]);
    const { id } = created.json<{ data: { id: string } }>().data;
    await waitFor('the message was repeated', () => Promise.resolve(received.length >= 2), WITHIN);
    const [first, second] = received;
    expect(second!.text).toBe(first!.text);
    const body = JSON.parse(second!.text) as object;
    expect(body).toMatchObject({
      event: 'firing',
      sequence: 1,
      alert_id: id,
      operator: 'above',
      threshold: 0,
    });
    const signature = createHmac('sha256', SECRET)
      .update(`${String(second!.headers['x-assay-timestamp'])}.${second!.text}`)
      .digest('hex');
    expect(second!.headers['x-assay-signature']).toBe(`v1=${signature}`);

    const path = `/v1/alerts/${id}`;
    expect((await client.call('PUT', path, { body: { threshold: 1_000 } })).status).toBe(200);
    await waitFor('the end was sent', () => Promise.resolve(received.length >= 3), WITHIN);
    expect(JSON.parse(received[2]!.text)).toMatchObject({ event: 'ended', sequence: 2 });
    const history = async () =>
      (await client.call('GET', `${path}/history`)).json<{ data: { delivery: string; attempts: number }[] }>()
        .data;
    await waitFor('both are delivered', async () =>
      (await history()).every(({ delivery }) => delivery === 'delivered'),
    );
    expect(await history()).toMatchObject([
      { from: 'firing', to: 'ok', attempts: 1 },
      { from: 'ok', to: 'firing', attempts: 2, value: expect.any(Number) as number },
    ]);
    expect((await client.call('DELETE', path)).status).toBe(200);
    expect((await client.call('GET', path)).status).toBe(404);
  });
});
