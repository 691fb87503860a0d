import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestAuthority } from '@assay/runtime/test/test-certificates';
import { startMailServer, waitFor, type MailServer } from '@assay/testing';
import { onStack } from '../harness/stack/on-stack.js';
import { readMetrics } from '../harness/stack/read-metrics.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

const SECRET = 'a-long-random-text-of-a-receiver';
const WITHIN = { withinMs: 120_000, pollIntervalMs: 100 };

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

describe('an alert', () => {
  const received: Received[] = [];
  const held: Received[] = [];
  const dir = mkdtempSync(join(tmpdir(), 'assay-mail-'));
  let mail: MailServer;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      if (request.url === '/held') {
        // The first attempt has no response.
        if (held.push({ headers: request.headers, text }) > 1) response.end();
        return;
      }
      received.push({ headers: request.headers, text });
      // The first attempt fails, and is repeated.
      response.writeHead(received.length === 1 ? 503 : 200).end();
    });
  });
  const on = onStack(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const authority = createTestAuthority(dir, 'authority');
    const { certFile, keyFile } = authority.issue('mail');
    mail = await startMailServer({
      ...{ secure: true, cert: readFileSync(certFile), key: readFileSync(keyFile), authOptional: false },
      onAuth: ({ username, password }, _session, done) =>
        username === 'assay' && password === SECRET
          ? done(null, { user: username })
          : done(new Error('refused')),
    });
    return startStandalone({
      ...{ ALERT_ALLOWED_HOSTS: '127.0.0.1', ALERT_INTERVAL_SECONDS: '1', ALERT_MAIL_DOMAINS: 'example.com' },
      ...{ ALERT_MAIL_FROM: 'Assay <assay@example.org>', NODE_EXTRA_CA_CERTS: authority.caFile },
      ALERT_SMTP_URL: `smtps://assay:${SECRET}@localhost:${mail.port}`,
    });
  });
  afterAll(() => {
    server.close();
    rmSync(dir, { recursive: true, force: true });
    return mail.stop();
  });

  const event = (event_name: string, duration: number) => ({
    ...{ event_id: randomUUID(), session_id: randomUUID(), event_type: 'tool', event_name, inputs: {} },
    ...{ start_time: Date.now(), duration },
  });
  const send = async (events: readonly object[]) =>
    expect((await on.client.post('/v1/events/batch', { events })).status).toBe(200);
  const create = async (fields: object) => {
    const response = await on.client.post('/v1/alerts', {
      ...{ name: 'slow', metric: 'duration', func: 'avg', threshold: 5_000, window_minutes: 60 },
      ...{ delay_seconds: 0, ...fields },
    });
    expect([response.status, response.text]).toEqual([200, expect.not.stringContaining('/hook')]);
    return response.json<{ data: { id: string } }>().data.id;
  };
  const history = async (id: string) =>
    (await on.client.call('GET', `/v1/alerts/${id}/history`)).json<{
      data: { to: string; error: string }[];
    }>().data;
  const arrived = (count: number) =>
    waitFor(`message ${count} arrived`, () => Promise.resolve(received.length >= count), WITHIN);

  it('fires, is signed and repeated, resolves, and says that there is no data', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const query = [{ field: 'event_name', operator: 'is', type: 'string', value: 'answer' }];
    await send([event('answer', 9_000), event('other', 1)]);
    const id = await create({ query, webhook: { url, secret: SECRET } });
    await arrived(2);
    const [first, second] = received;
    expect(second!.text).toBe(first!.text);
    expect(JSON.parse(second!.text)).toMatchObject({
      ...{ event: 'firing', sequence: 1, alert_id: id, operator: 'above', threshold: 5_000, value: 9_000 },
    });
    const signed = `${String(second!.headers['x-assay-timestamp'])}.${second!.text}`;
    const signature = createHmac('sha256', SECRET).update(signed).digest('hex');
    expect(second!.headers['x-assay-signature']).toBe(`v1=${signature}`);

    await send(Array.from({ length: 9 }, () => event('answer', 0)));
    await arrived(3);
    expect(JSON.parse(received[2]!.text)).toMatchObject({ event: 'resolved', sequence: 2, value: 900 });

    expect((await on.client.post('/v1/deletions', { filters: query })).status).toBe(200);
    await arrived(4);
    expect(JSON.parse(received[3]!.text)).toMatchObject({ event: 'no_data', sequence: 3, value: null });
    await waitFor('all are delivered', async () =>
      (await history(id)).every((change) => 'delivery' in change && change.delivery === 'delivered'),
    );
    expect(await history(id)).toMatchObject([
      { from: 'ok', to: 'no_data', attempts: 1 },
      { from: 'firing', to: 'ok', attempts: 1 },
      { from: 'ok', to: 'firing', attempts: 2, value: 9_000 },
    ]);
    expect((await on.client.call('DELETE', `/v1/alerts/${id}`)).status).toBe(200);
    await arrived(5);
    expect(JSON.parse(received[4]!.text)).toMatchObject({ event: 'ended', sequence: 4 });
    expect((await on.client.call('GET', `/v1/alerts/${id}`)).status).toBe(404);
  });

  it('is never sent to a private address that the operator does not allow', async () => {
    const id = await create({ threshold: -1, webhook: { url: 'https://10.0.0.1/hook', secret: SECRET } });
    await waitFor('the message is refused', async () => (await history(id))[0]?.error === 'refused', WITHIN);
  });

  it('sends e-mails to people of allowed domains, with credentials over TLS', async () => {
    const id = await create({ threshold: -1, email: { to: ['on-call@example.com'] } });
    await waitFor('the e-mail arrived', () => Promise.resolve(mail.received.length > 0), WITHIN);
    expect(mail.received[0]).toMatchObject({ from: 'assay@example.org', to: ['on-call@example.com'] });
    await waitFor('it is delivered', async () => (await history(id))[0]?.error === null, WITHIN);
    const other = await create({ threshold: -1, email: { to: ['on-call@example.net'] } });
    await waitFor('it is refused', async () => (await history(other))[0]?.error === 'refused', WITHIN);
  });

  it('leaves no secret in the log, and metrics that say what was done', async () => {
    const log = readFileSync(join(on.stack.dir, 'standalone.log'), 'utf8');
    expect(log).not.toMatch(new RegExp(`${SECRET}|/hook`));
    const metrics = await readMetrics(on.stack.adminUrl('standalone'));
    expect(metrics).toMatch(/^assay_alert_windows_total [1-9]/m);
    expect(metrics).toMatch(/^assay_alert_attempts_total\{outcome="delivered"\} [1-9]/m);
    expect(metrics).toMatch(/^assay_alert_messages_given_up_total\{cause="failed"\} 2$/m);
  });

  it('arrives again with the same text when the process was killed before the response', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/held`;
    const id = await create({ threshold: -1, webhook: { url, secret: SECRET } });
    await waitFor('the message arrived', () => Promise.resolve(held.length === 1), WITHIN);
    await on.stack.kill('standalone');
    await on.stack.start('standalone');
    // The killed process holds its lease for a minute.
    const afterLease = { ...WITHIN, withinMs: 240_000 };
    await waitFor('it arrived again', () => Promise.resolve(held.length > 1), afterLease);
    expect(held[1]!.text).toBe(held[0]!.text);
    const fields = { event: 'firing', sequence: 1, alert_id: id };
    expect(JSON.parse(held[1]!.text)).toMatchObject(fields);
    const delivered = async () => (await history(id)).map((change) => [change.to, change.error]);
    await waitFor('it is delivered', async () => (await delivered())[0]?.[1] === null, WITHIN);
    expect(await delivered()).toEqual([['firing', null]]);
    expect(held.length).toBe(2);
  }, 600_000);
});
