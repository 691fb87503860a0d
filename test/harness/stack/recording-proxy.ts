import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { readableMessages } from './http-messages.js';

/** A TCP proxy on 127.0.0.1 that records every byte in both directions. */
export interface RecordingProxy {
  /** `127.0.0.1:port` */
  readonly address: string;
  /** All recorded bytes, one direction of one connection after the other. */
  bytes(): Buffer;
  /** The recorded HTTP messages without chunk borders, and with bodies in gzip decompressed. */
  readable(): Buffer;
  close(): Promise<void>;
}

/** @param target `host:port` of the server, which may start later */
export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const streams: Buffer[][] = [];
  const sockets = new Set<Socket>();
  const [host = '', port = ''] = target.split(':');
  const pump = (from: Socket, to: Socket) => {
    const chunks: Buffer[] = [];
    streams.push(chunks);
    sockets.add(from);
    from.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      to.write(chunk);
    });
    from.on('end', () => to.end());
    from.on('error', () => to.destroy());
    from.on('close', () => (sockets.delete(from), to.destroy()));
  };
  const server = createServer((client) => {
    const upstream = connect(Number(port), host);
    pump(client, upstream);
    pump(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => Buffer.concat(streams.map((chunks) => Buffer.concat(chunks))),
    readable: () => Buffer.concat(streams.map((chunks) => readableMessages(Buffer.concat(chunks)))),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
