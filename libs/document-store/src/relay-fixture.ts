import { once } from 'node:events';
import { type AddressInfo, createServer, connect, type Server, type Socket } from 'node:net';

/** A TCP relay between the driver and the server, which a test can cut. */
export interface Relay {
  readonly url: string;
  /** From the next byte that a client sends on: every connection is reset and no new one is taken. */
  cutOnNextRequest(): void;
  restore(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRelay(target: URL): Promise<Relay> {
  const sockets = new Set<Socket>();
  let armed = false;
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const join = (client: Socket) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        upstream.destroy();
        client.destroy();
      });
    }
    client.on('data', (chunk) => (armed ? cut() : upstream.write(chunk)));
    upstream.pipe(client);
  };
  let server = await listen(0, join);
  const { port } = server.address() as AddressInfo;
  return {
    url: `mongodb://127.0.0.1:${port}/`,
    cutOnNextRequest: () => {
      armed = true;
    },
    restore: async () => {
      armed = false;
      server = await listen(port, join);
    },
    stop: async () => {
      cut();
      await Promise.resolve();
    },
  };
}

async function listen(port: number, onConnection: (client: Socket) => void): Promise<Server> {
  const server = createServer(onConnection).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
