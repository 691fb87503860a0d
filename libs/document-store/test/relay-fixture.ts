import { once } from 'node:events';
import { type AddressInfo, createServer, connect, type Server, type Socket } from 'node:net';

/** A TCP relay between the driver and the server that a test can interrupt. */
export interface Relay {
  readonly url: string;
  /** Resets every connection and refuses new ones as soon as a client sends the next byte. */
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
