const FRESH_FOR_MS = 10 * 60_000;
const FAILURE_COOLDOWN_MS = 5_000;

export interface SteadyValueOptions<Value> {
  readonly read: () => Promise<Value>;
  /** Called with each failure to read the value. */
  readonly onFailure: (cause: unknown) => void;
  /** Milliseconds of a steady clock. */
  readonly now: () => number;
}

/** A value of the provider that rarely changes. It is read by one request at a time, and not soon after a failure. */
export class SteadyValue<Value> {
  private current?: { readonly value: Value; readonly at: number };
  private pending: Promise<void> | undefined;
  private failedAt = -Infinity;

  constructor(private readonly options: SteadyValueOptions<Value>) {}

  /** Returns the value, not older than 10 minutes unless it cannot be read; undefined when it never could be. */
  async get(): Promise<Value | undefined> {
    const now = this.options.now();
    const isFresh = this.current !== undefined && now - this.current.at < FRESH_FOR_MS;
    if (!isFresh && now - this.failedAt >= FAILURE_COOLDOWN_MS)
      await (this.pending ??= this.read().finally(() => (this.pending = undefined)));
    return this.current?.value;
  }

  private async read(): Promise<void> {
    try {
      const value = await this.options.read();
      this.current = { value, at: this.options.now() };
    } catch (cause) {
      this.failedAt = this.options.now();
      this.options.onFailure(cause);
    }
  }
}
