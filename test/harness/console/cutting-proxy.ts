import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in front of the product that breaks off one response, or never ends it. */
export interface CuttingProxy {
  readonly baseUrl: string;
  /** The `Range` headers of the requests for the path that is cut, in order; undefined for whole ones. */
  readonly ranges: readonly (string | undefined)[];
  close(): Promise<void>;
}

export interface Cut {
  readonly path: string;
  readonly afterBytes: number;
  /** Keeps the connection open, so that the client waits for the rest. */
  readonly stalls?: boolean;
}

/** Breaks the first response of a path off after some bytes, in the middle of its transfer. */
export async function startCuttingProxy(target: string, cut: Cut): Promise<CuttingProxy> {
  const ranges: (string | undefined)[] = [];
  const server = createServer((incoming, outgoing) => {
    const isCut = incoming.url?.endsWith(cut.path) === true && ranges.push(incoming.headers.range) === 1;
    forward(target, incoming, outgoing, isCut ? cut : WHOLE);
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

const WHOLE: Cut = { path: '', afterBytes: Infinity };

function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse, cut: Cut): void {
  const { method, url } = incoming;
  // The beginning of compressed bytes need not be the beginning of a text.
  const headers = { ...incoming.headers, ...(cut.stalls === true && { 'accept-encoding': 'identity' }) };
  const toServer = request(`${target}${url ?? ''}`, { method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    let sent = 0;
    response.on('data', (chunk: Buffer) => {
      if (sent > cut.afterBytes) return;
      const part = cut.stalls === true ? chunk.subarray(0, cut.afterBytes) : chunk;
      sent += chunk.length;
      // What was sent arrives; the rest never does.
      outgoing.write(part, () => {
        if (sent > cut.afterBytes && cut.stalls !== true) outgoing.socket?.destroySoon();
      });
    });
    response.on('end', () => sent <= cut.afterBytes && outgoing.end());
  });
  toServer.on('error', () => outgoing.destroy());
  outgoing.on('close', () => toServer.destroy());
  incoming.pipe(toServer);
}
