import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { waitFor } from '@assay/testing';
import { sampleApp } from '../../test/sample-app.js';
import { listen, MAX_CONNECTIONS, type ListeningServer } from './listen.js';

const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
const requestOf = (key: string) =>
  `GET /v1/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;

const sockets: Socket[] = [];
let listening: ListeningServer | undefined;
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listening?.close(0);
});

function dial(port: number, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

async function statusOn(socket: Socket): Promise<string | undefined> {
  socket.write(requestOf('other-key'));
  const [data] = (await once(socket, 'data')) as [Buffer];
  return /^HTTP\/1.1 (\d+)/.exec(String(data))?.[1];
}

describe('a burst of as many new connections as may be open', () => {
  it.each<[string, string]>([
    ['without a request', ''],
    ['of one project', requestOf('project-key')],
  ])('%s leaves another project its connection and lets it open new ones', async (_name, text) => {
    const { listener } = sampleApp();
    listening = await listen({ host: '127.0.0.1', port: 0, listener });
    const { port } = listening;
    const keptAlive = dial(port);
    expect(await statusOn(keptAlive)).toBe('200');
    let settled = 0;
    for (let n = 0; n < MAX_CONNECTIONS; n++) {
      const socket = dial(port, ADDRESSES[n % ADDRESSES.length]).resume();
      const done = new Promise<void>(
        (resolve) => void socket.once('connect', resolve).once('close', resolve),
      );
      void done.then(() => settled++);
      if (text !== '') socket.once('connect', () => socket.write(text));
    }
    for (let n = 0; n < 20; n++) {
      expect(await statusOn(keptAlive)).toBe('200');
      expect(await statusOn(dial(port))).toBe('200');
    }
    await waitFor('each of the burst was accepted or closed', () => settled === MAX_CONNECTIONS);
    expect(await statusOn(keptAlive)).toBe('200');
    expect([keptAlive.destroyed, keptAlive.readableEnded]).toEqual([false, false]);
  });
});
