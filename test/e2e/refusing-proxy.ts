import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy before the product that refuses some requests, as an overloaded one does. */
export interface RefusingProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** @param refuses returns whether a request is refused, by its method and its number among those of the method, from 1 */
export async function startRefusingProxy(
  target: string,
  refuses: (method: string, number: number) => boolean,
): Promise<RefusingProxy> {
  const counts = new Map<string, number>();
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    const number = (counts.get(method) ?? 0) + 1;
    counts.set(method, number);
    if (refuses(method, number)) {
      incoming.resume();
      outgoing.writeHead(503).end(JSON.stringify({ message: 'too many requests wait' }));
      return;
    }
    const forwarded = request(new URL(url, target), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
