import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Handles requests instead of the control plane. */
export type Pretence = (request: IncomingMessage, response: ServerResponse) => void;

/** A proxy in front of the control plane that can impersonate it. */
export class FalseControlPlane {
  /** Absent: requests are forwarded to the control plane. */
  pretence: Pretence | undefined;

  private constructor(
    private readonly server: Server,
    /** `host:port`. */
    readonly address: string,
  ) {}

  static async start(target: string): Promise<FalseControlPlane> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const front = new FalseControlPlane(server, `127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
      if (front.pretence) front.pretence(incoming, response);
      else forward(target, incoming, response);
    });
    return front;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

function forward(target: string, incoming: IncomingMessage, response: ServerResponse): void {
  const upstream = request(
    `http://${target}${incoming.url}`,
    { method: incoming.method, headers: incoming.headers },
    (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    },
  );
  upstream.on('error', () => response.destroy());
  incoming.pipe(upstream);
}
