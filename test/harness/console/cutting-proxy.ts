import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in front of the product that breaks off one response. */
export interface CuttingProxy {
  readonly baseUrl: string;
  /** The `Range` headers of the requests for the path that is cut, in order; undefined for whole ones. */
  readonly ranges: readonly (string | undefined)[];
  close(): Promise<void>;
}

/** Breaks the first response of a path off after some bytes, in the middle of its transfer. */
export async function startCuttingProxy(
  target: string,
  { path, afterBytes }: { readonly path: string; readonly afterBytes: number },
): Promise<CuttingProxy> {
  const ranges: (string | undefined)[] = [];
  const server = createServer((incoming, outgoing) => {
    const isCut = incoming.url?.endsWith(path) === true && ranges.push(incoming.headers.range) === 1;
    forward(target, incoming, outgoing, isCut ? afterBytes : Infinity);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ranges,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse, limit: number): void {
  const { method, headers, url } = incoming;
  const toServer = request(`${target}${url ?? ''}`, { method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    let sent = 0;
    response.on('data', (chunk: Buffer) => {
      if (sent > limit) return;
      sent += chunk.length;
      // What was sent arrives; the rest never does.
      outgoing.write(chunk, () => sent > limit && outgoing.socket?.destroySoon());
    });
    response.on('end', () => sent <= limit && outgoing.end());
  });
  toServer.on('error', () => outgoing.destroy());
  outgoing.on('close', () => toServer.destroy());
  incoming.pipe(toServer);
}
