import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listProjects } from '@assay/contracts';
import { isAdministrator } from '@assay/domain';
import { createMetrics } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import { sampleApp } from '../../test/sample-app.js';
import { makeDocuments } from '../response/document.js';
import { bind } from '../routing/bind.js';
import { respond } from './fallbacks.js';
import { listen, type ListeningServer, type ListenOptions } from './listen.js';

const opened: ListeningServer[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(opened.splice(0).map((listening) => listening.close(0)));
});

async function start(options: Partial<ListenOptions> = {}) {
  const metrics = createMetrics({ processMetrics: false });
  const { listener } = sampleApp();
  const listening = await listen({ host: '127.0.0.1', port: 0, listener, metrics, ...options });
  opened.push(listening);
  const valueOf = async (name: string) =>
    Number(
      (await metrics.text())
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1] ?? 0,
    );
  return {
    port: listening.port,
    active: () => valueOf('assay_http_connections{state="active"}'),
    closed: (reason: string) => valueOf(`assay_http_connections_closed_total{reason="${reason}"}`),
  };
}

async function dial(port: number, localAddress?: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) });
  sockets.push(socket.on('error', () => undefined));
  await once(socket, 'connect');
  return socket;
}

/** Sends a request whose body does not follow. */
async function beginRequest(port: number, key: string, localAddress?: string): Promise<Socket> {
  const socket = await dial(port, localAddress);
  socket.write(
    `POST /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  );
  return socket;
}

/** What a client receives until the connection is closed. */
async function received(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  await once(socket, 'close');
  return text;
}

async function statusOf(port: number): Promise<string | undefined> {
  const socket = await dial(port);
  socket.write(`GET /v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer other-key\r\n\r\n`);
  const [data] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return /^HTTP\/1.1 (\d+)/.exec(String(data))?.[1];
}

describe('requests whose bodies do not arrive', () => {
  it('hold a quarter of the connections of one project: beyond it the slowest one is 408', async () => {
    const { port, active, closed } = await start({ limits: { maxConnections: 40 } });
    const first = received(await beginRequest(port, 'project-key'));
    for (let n = 0; n < 9; n++) await beginRequest(port, 'project-key');
    await waitFor('all are pending', async () => (await active()) === 10);
    for (let n = 0; n < 3; n++) await beginRequest(port, 'other-key');
    await waitFor('all are pending', async () => (await active()) === 13);
    expect(await closed('slow')).toBe(0);
    await beginRequest(port, 'project-key');
    expect(await first).toMatch(/^HTTP\/1.1 408 [^]*"errorCode":"REQUEST_TIMEOUT"/);
    await waitFor('one was rejected', async () => (await closed('slow')) === 1 && (await active()) === 13);
  });

  it('hold half of the connections together, and those of an address count for it without a key', async () => {
    const { port, active, closed } = await start({ limits: { maxConnections: 40 } });
    const anonymous = (n: number) => beginRequest(port, 'key-of-the-outage', `127.0.0.${n}`);
    for (let n = 0; n < 9; n++) for (const address of [2, 3, 4]) await anonymous(address);
    for (let n = 0; n < 5; n++) await beginRequest(port, 'project-key');
    await waitFor('those beyond half were rejected', async () => (await closed('slow')) === 12);
    expect(await statusOf(port)).toBe('200');
    expect([await closed('full'), await active()]).toEqual([0, 5]);
  });

  it('are replaced by new connections when all are in use', async () => {
    const { port, closed } = await start({ limits: { maxConnections: 8 } });
    const keptAlive = await dial(port);
    const isOpen = () => !keptAlive.destroyed && !keptAlive.readableEnded;
    keptAlive.write('GET /v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer other-key\r\n\r\n');
    await once(keptAlive, 'data');
    for (let n = 0; n < 30; n++) (await beginRequest(port, 'project-key')).resume();
    for (let n = 0; n < 3; n++) expect(await statusOf(port)).toBe('200');
    expect([await closed('full'), isOpen()]).toEqual([0, true]);
  });

  it('is 408 for one that sends a byte now and then, and not for a large one that arrives steadily', async () => {
    const { port, active } = await start({ timeouts: { maxLagMs: 500, checkMs: 20 } });
    const [slow, steady] = [await beginRequest(port, 'project-key'), await dial(port)];
    steady.write(
      'POST /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer other-key\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n',
    );
    const drip = setInterval(() => {
      slow.write('x');
      steady.write('x'.repeat(1_000));
    }, 50);
    expect(await received(slow).finally(() => clearInterval(drip))).toMatch(/^HTTP\/1.1 408 /);
    await waitFor('the server has ended the slow one', async () => (await active()) === 1);
    expect(steady.readableEnded).toBe(false);
  });
});

describe('responses that are not taken', () => {
  const large: RequestListener = (_request, response) => void response.end(Buffer.alloc(32 * 1024 * 1024));

  it('end when the client takes nothing, also while it sends', async () => {
    const { port, closed } = await start({ listener: large, timeouts: { stalledMs: 300, checkMs: 30 } });
    const socket = await dial(port);
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const drip = setInterval(() => socket.write('G'), 20);
    await waitFor('the connection is closed', async () => (await closed('stalled')) === 1).finally(() =>
      clearInterval(drip),
    );
  });

  it('continue for a client that reads a little now and then, less than the buffers of the system', async () => {
    const { port, active, closed } = await start({
      listener: large,
      timeouts: { stalledMs: 1_000, checkMs: 50 },
    });
    const socket = await dial(port);
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    let taken = 0;
    const read = setInterval(() => (taken += (socket.read(64 * 1024) as Buffer | null)?.length ?? 0), 100);
    await waitFor('several times the limit have passed', () => taken >= 30 * 64 * 1024).finally(() =>
      clearInterval(read),
    );
    expect([await active(), await closed('stalled')]).toEqual([1, 0]);
  });

  it('are 503 for public documents beyond 100 that are unfinished', async () => {
    const body = 'x'.repeat(8 * 1024 * 1024);
    const documents = makeDocuments()({ status: 200, contentType: 'text/plain', body });
    const listener: RequestListener = (request, response) =>
      void documents(request, response, 'r-1').then((content) => respond(request, response, content));
    const { port, active } = await start({ listener });
    const before = process.memoryUsage().rss;
    for (let n = 0; n < 100; n++) {
      const socket = await dial(port);
      socket.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(12));
    }
    await waitFor('all are unfinished', async () => (await active()) === 100);
    expect(await statusOf(port)).toBe('503');
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
    for (const socket of sockets.splice(0)) socket.destroy();
    await waitFor('none is unfinished', async () => (await active()) === 0);
    expect(await statusOf(port)).toBe('200');
  });

  it.each<[string, number, number]>([
    ['one large document', 1, 8 * 1024 * 1024],
    ['a list of many documents that is in memory', 64, 128 * 1024],
  ])(
    'are 503 for a project whose clients have not taken 128 MB of them, and 200 for another one: %s',
    async (_name, count, length) => {
      const description = 'x'.repeat(length);
      const projects = bind(listProjects, (_request, { caller }) => {
        const id = isAdministrator(caller) ? '' : caller.projectId;
        const one = { id, name: id, description: id === 'p1' ? description : '', org_id: 'default' };
        return Promise.resolve(Array(count).fill({ ...one, created_at: '', updated_at: '' }));
      });
      const { port, active } = await start({ listener: sampleApp({ bindings: [projects] }).listener });
      const hold = async () => {
        const socket = await dial(port);
        socket.write('GET /v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer project-key\r\n\r\n');
        await once(socket, 'readable');
        const status = /^HTTP\/1.1 (\d+)/.exec(String(socket.read(12)))?.[1];
        socket.pause();
        return status;
      };
      const statuses: (string | undefined)[] = [];
      for (let n = 0; n < 20; n++) statuses.push(await hold());
      expect(statuses).toEqual([...Array<string>(15).fill('200'), ...Array<string>(5).fill('503')]);
      expect(await statusOf(port)).toBe('200');
      for (const socket of sockets.splice(0)) socket.destroy();
      await waitFor('none is unfinished', async () => (await active()) === 0);
      expect(await hold()).toBe('200');
    },
  );
});
