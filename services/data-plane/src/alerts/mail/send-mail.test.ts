import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { startMailServer, type MailServer, type MailServerOptions } from '@assay/testing';
import { makeSendMessage } from '../send-message.js';
import { makeSendMail } from './send-mail.js';

const MESSAGE = {
  ...{ id: 'm1', sequence: 1, event: 'firing', alert_id: 'a1', alert_name: 'slow', project_id: 'p1' },
  ...{ metric: 'duration', func: 'p95', operator: 'above', compare: 'value', threshold: 5, value: 9 },
  ...{ window_minutes: 5, window_end: '2026-11-01T00:00:00.000Z', at: '2026-11-01T00:00:30.000Z' },
};
const DELIVERY = { id: 'm1', url: '', secret: null, to: ['on-call@example.com', 'lead@Example.com'] };
const ARRIVED_TO = ['on-call@example.com', 'lead@example.com'];
const FROM = 'Assay <assay@example.org>';
const never = new AbortController().signal;

describe('an e-mail of an alert', () => {
  const servers: MailServer[] = [];
  const serve = async (options: MailServerOptions = {}) => {
    const server = await startMailServer(options);
    servers.push(server);
    return server;
  };
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));
  const sender = ({ port }: { readonly port: number }, user = '') =>
    makeSendMail({
      ...{ url: `smtp://${user}127.0.0.1:${port}`, from: FROM, domains: ['example.com'], perHour: 3 },
    });
  const bodyWith = (fields: object = {}) => ({ body: JSON.stringify({ ...MESSAGE, ...fields }) });

  it('is sent to all addresses, as text and as HTML', async () => {
    const server = await serve();
    const sent = await sender(server)({ ...DELIVERY, ...bodyWith() }, never);
    expect(sent).toEqual({ id: 'm1', error: null, final: true });
    expect(server.received).toMatchObject([{ from: 'assay@example.org', to: ARRIVED_TO }]);
    const { raw = '' } = server.received[0] ?? {};
    for (const text of [
      'Subject: [firing] slow',
      'From: Assay <assay@example.org>',
      'Message-ID: <m1@example.org>',
      'Auto-Submitted: auto-generated',
      'Condition: p95 of duration above 5',
      'Value: 9',
      '<td>p95 of duration above 5</td>',
    ])
      expect(raw).toContain(text);
  });

  it('has names as text: no markup in HTML, and one line in the subject', async () => {
    const server = await serve();
    const names = { alert_name: 'a\r\nBcc: eve@example.net\r\n<script>', metric: 'metadata.<b>\nx' };
    await sender(server)({ ...DELIVERY, ...bodyWith(names) }, never);
    const { raw = '', to } = server.received[0] ?? {};
    expect(to).toEqual(ARRIVED_TO);
    expect(raw).not.toMatch(/^Bcc:/im);
    expect(raw.slice(raw.indexOf('text/html'))).not.toMatch(/<script>|<b>/);
    expect(raw).toContain('&lt;script&gt;');
  });

  it('says that there is no value, and what a change is in', async () => {
    const server = await serve();
    const send = sender(server);
    await send({ ...DELIVERY, ...bodyWith({ event: 'no_data', value: null }) }, never);
    await send({ ...DELIVERY, ...bodyWith({ compare: 'change', func: null }) }, never);
    expect(server.received[0]?.raw).toContain('Value: none');
    expect(server.received[1]?.raw).toContain('Condition: duration above 5 %');
  });

  it('of a project that has sent many is sent later, those of others are not', async () => {
    const server = await serve();
    const send = sender(server);
    const outcome = async (project_id: string) =>
      (await send({ ...DELIVERY, ...bodyWith({ project_id }) }, never)).error;
    for (let nth = 0; nth < 3; nth++) expect(await outcome('busy')).toBeNull();
    expect(await send({ ...DELIVERY, ...bodyWith({ project_id: 'busy' }) }, never)).toEqual({
      ...{ id: 'm1', error: 'too many e-mails of the project', final: false },
    });
    expect(await outcome('other')).toBeNull();
    expect(server.received.length).toBe(4);
  });

  it('is not sent to a server whose certificate is not trusted', async () => {
    // Without options the library uses a certificate of its own.
    const { port, received } = await serve({ secure: true });
    const mail = { from: FROM, domains: ['example.com'], perHour: 3 };
    const send = makeSendMail({ ...mail, url: `smtps://assay:secret@127.0.0.1:${port}` });
    expect(await send({ ...DELIVERY, ...bodyWith() }, never)).toEqual({
      ...{ id: 'm1', error: 'unreachable', final: false },
    });
    expect(received).toEqual([]);
  });

  it('goes to no address of another domain', async () => {
    const server = await serve();
    for (const address of ['on-call@example.org', 'a@sub.example.com', 'a@example.com.evil.example'])
      expect(
        await sender(server)({ ...DELIVERY, to: [...DELIVERY.to, address], ...bodyWith() }, never),
      ).toEqual({
        ...{ id: 'm1', error: 'refused', final: true },
      });
    expect(server.received).toEqual([]);
  });

  it.each([
    [450, 'status 450', false],
    [550, 'status 550', true],
  ])('that all addresses are refused for with %i has the outcome %s', async (responseCode, error, final) => {
    const refuse = () => Object.assign(new Error('refused'), { responseCode });
    const server = await serve({ onRcptTo: (_address, _session, done) => done(refuse()) });
    expect(await sender(server)({ ...DELIVERY, ...bodyWith() }, never)).toEqual({ id: 'm1', error, final });
  });

  it('that one address is refused for says so, and is not repeated to the others', async () => {
    const server = await serve({
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('lead') ? Object.assign(new Error('no'), { responseCode: 550 }) : null),
    });
    expect(await sender(server)({ ...DELIVERY, ...bodyWith() }, never)).toEqual({
      ...{ id: 'm1', error: 'the mail server refused 1 of 2 addresses', final: true },
    });
    expect(server.received).toMatchObject([{ to: ['on-call@example.com'] }]);
  });

  it('is repeated when the server is not there, closes, or does not take the credentials', async () => {
    const closed = await startMailServer();
    await closed.stop();
    expect(await sender(closed)({ ...DELIVERY, ...bodyWith() }, never)).toMatchObject({
      ...{ error: 'unreachable', final: false },
    });
    const server = await serve();
    // It offers no encryption, so that the password is not sent.
    const outcome = await sender(server, 'user:password@')({ ...DELIVERY, ...bodyWith() }, never);
    expect(outcome).toMatchObject({
      final: false,
      error: expect.stringMatching(/status|unreachable/) as string,
    });
    expect(server.received).toEqual([]);
  });

  it('ends with its time at a server that says nothing', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const limit = new AbortController();
    silent.once('connection', () => limit.abort());
    const { port } = silent.address() as AddressInfo;
    expect(await sender({ port })({ ...DELIVERY, ...bodyWith() }, limit.signal)).toEqual({
      ...{ id: 'm1', error: 'timeout', final: false },
    });
    silent.close();
    await once(silent, 'close');
  });

  it('is refused where no mail server is configured', async () => {
    const send = makeSendMessage({
      outbound: { post: () => Promise.reject(new Error('no webhook')) },
      ...{ receivers: { allowedHosts: [] }, now: Date.now },
    });
    expect(await send({ ...DELIVERY, ...bodyWith() }, never)).toEqual({
      ...{ id: 'm1', error: 'no mail server is configured', final: true },
    });
  });
});
