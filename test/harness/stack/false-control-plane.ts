import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the real control plane is replaced for a while. */
export type Pretence = (request: IncomingMessage, response: ServerResponse) => void;

/** Stands between the control plane and those that call it, and answers in its place once it is told how. */
export class FalseControlPlane {
  /** Absent: everything goes to the control plane and back. */
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
    server.on('request', (asked: IncomingMessage, response: ServerResponse) => {
      if (front.pretence) front.pretence(asked, response);
      else passThrough(target, asked, response);
    });
    return front;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

function passThrough(target: string, asked: IncomingMessage, response: ServerResponse): void {
  const upstream = request(
    `http://${target}${asked.url}`,
    { method: asked.method, headers: asked.headers },
    (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    },
  );
  upstream.on('error', () => response.destroy());
  asked.pipe(upstream);
}
