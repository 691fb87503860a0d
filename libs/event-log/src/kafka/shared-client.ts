/** What the producer and the admin client of kafkajs have in common. */
interface Connectable {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/** One connected client that all callers share; it is replaced after {@link reset}. */
export class SharedClient<T extends Connectable> {
  private current: { readonly client: T; readonly connected: Promise<void> } | undefined;

  constructor(private readonly make: () => T) {}

  /** Runs the work on the connected client. Rejects with the errors of kafkajs. */
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

  /** Discards the client; the next call connects a new one. */
  reset(): void {
    // Nothing uses the old client any more, so a failure to disconnect is irrelevant.
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
