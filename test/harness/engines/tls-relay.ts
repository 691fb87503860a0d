import { readFileSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import type { TestCertificate } from '@assay/runtime/test/test-certificates';

export interface TlsRelay {
  /** `127.0.0.1:port` */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Accepts TLS connections from clients with a certificate of the authority, and passes their bytes to a server that has no TLS.
 * @param options.target `host:port` of that server
 */
export async function startTlsRelay(options: {
  readonly target: string;
  readonly server: TestCertificate;
  readonly caFile: string;
}): Promise<TlsRelay> {
  const { hostname: host, port } = new URL(`tcp://${options.target}`);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket, other: () => Socket | undefined) => {
    sockets.add(socket);
    socket
      .on('error', () => undefined)
      .on('close', () => {
        sockets.delete(socket);
        other()?.destroy();
      });
  };
  const relay = createServer({
    cert: readFileSync(options.server.certFile),
    key: readFileSync(options.server.keyFile),
    ca: readFileSync(options.caFile),
    requestCert: true,
  }).on('secureConnection', (client) => {
    const server = connect(Number(port), host);
    keep(client, () => server);
    keep(server, () => client);
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(relay.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => relay.close(resolve));
    },
  };
}
