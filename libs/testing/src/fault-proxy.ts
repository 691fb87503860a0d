import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What the proxy does with the bytes it receives. */
export type Fault =
  /** Forwards everything. */
  | 'none'
  /** Keeps connections open and accepts bytes, but forwards nothing: a frozen or black-holed server. */
  | 'stall'
  /** Forwards requests and drops the responses: the server does the work, and the client gets no response. */
  | 'drop-responses'
  /** Ends all connections and refuses new ones. */
  | 'cut';

/** A TCP proxy on 127.0.0.1 in front of a server, for tests in which that server becomes unavailable. */
export interface FaultProxy {
  readonly port: number;
  /** `127.0.0.1:port` */
  readonly address: string;
  /** Applies the fault to new and open connections. */
  become(fault: Fault): void;
  /** Ends all connections once, without refusing new ones. */
  cutOnce(): void;
  close(): Promise<void>;
}

/** @param target `host:port` of the server */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const proxy = new RunningProxy(target);
  await proxy.listen();
  return proxy;
}

class RunningProxy implements FaultProxy {
  private readonly server: Server = createServer((client) => this.accept(client));
  private readonly sockets = new Set<Socket>();
  private fault: Fault = 'none';
  port = 0;

  constructor(private readonly target: string) {}

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(0, '127.0.0.1', resolve);
    });
    this.port = (this.server.address() as AddressInfo).port;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  become(fault: Fault): void {
    this.fault = fault;
    if (fault === 'cut') this.cutOnce();
    // Dropped bytes cannot be recovered, so connections that lost some are of no use.
    if (fault === 'none') this.cutOnce();
  }

  cutOnce(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cutOnce();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(client: Socket): void {
    if (this.fault === 'cut') {
      client.destroy();
      return;
    }
    const colon = this.target.lastIndexOf(':');
    const server = connect({ host: this.target.slice(0, colon), port: Number(this.target.slice(colon + 1)) });
    this.pass(client, server, () => this.fault === 'stall');
    this.pass(server, client, () => this.fault === 'stall' || this.fault === 'drop-responses');
  }

  private pass(from: Socket, to: Socket, held: () => boolean): void {
    this.sockets.add(from);
    from.on('data', (bytes) => {
      if (held()) return;
      if (!to.write(bytes)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.sockets.delete(from);
      to.destroy();
    });
  }
}
