/** What the client's producer and admin have in common. */
interface Connectable {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/** One connected client that all callers share; a new one is made when the old one is given up. */
export class SharedClient<T extends Connectable> {
  private current: { readonly client: T; readonly connected: Promise<void> } | undefined;

  constructor(private readonly make: () => T) {}

  /** Runs the work on the connected client. Rejects with the client's own errors. */
  async use<R>(work: (client: T) => Promise<R>): Promise<R> {
    const shared = (this.current ??= this.connect());
    try {
      await shared.connected;
    } catch (error) {
      if (this.current === shared) this.current = undefined;
      throw error;
    }
    return work(shared.client);
  }

  /** Gives the client up: the next call connects anew. */
  renew(): void {
    // What becomes of the old one is of no interest: nobody uses it any more.
    this.close().catch(() => undefined);
  }

  async close(): Promise<void> {
    const old = this.current;
    this.current = undefined;
    await old?.client.disconnect();
  }

  private connect() {
    const client = this.make();
    return { client, connected: client.connect() };
  }
}
