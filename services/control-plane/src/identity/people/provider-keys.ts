import type { JSONWebKeySet, LocalJWKSet } from './provider-types.js';

const FRESH_FOR_MS = 10 * 60_000;
/** Keys that the provider has published are used for this long while it cannot be reached. */
const USABLE_FOR_MS = 24 * 60 * 60_000;
/** An unknown key leads to no more than one request in this time. */
const UNKNOWN_KEY_COOLDOWN_MS = 30_000;
const FAILURE_COOLDOWN_MS = 5_000;

export class ProviderUnreachable extends Error {}

export interface ProviderKeysOptions {
  readonly read: () => Promise<JSONWebKeySet>;
  readonly setOf: (keys: JSONWebKeySet) => LocalJWKSet;
  /** Whether an error of a set says that it lacks the key. */
  readonly isUnknownKey: (error: unknown) => boolean;
  /** Called with each failure to read the keys. */
  readonly onFailure: (cause: unknown) => void;
  /** Milliseconds of a steady clock: keys would not be read again while one that was set back catches up. */
  readonly now: () => number;
}

/** Finds the keys of a provider. One request for them runs at a time, not soon after another, whatever tokens are sent. */
export class ProviderKeys {
  private current?: { readonly set: LocalJWKSet; readonly at: number };
  private pending: Promise<void> | undefined;
  private readAt = -Infinity;
  private failedAt = -Infinity;

  constructor(private readonly options: ProviderKeysOptions) {}

  /** Returns the key of a token. @throws ProviderUnreachable when no keys are known; the error of the set when it lacks the key */
  async find(...[header, input]: Parameters<LocalJWKSet>): ReturnType<LocalJWKSet> {
    const now = this.options.now();
    if (this.current === undefined || now - this.current.at >= FRESH_FOR_MS) await this.refresh();
    try {
      return await this.usable()(header, input);
    } catch (error) {
      const mayAsk = this.options.now() - this.readAt >= UNKNOWN_KEY_COOLDOWN_MS;
      if (!this.options.isUnknownKey(error) || !mayAsk) throw error;
      await this.refresh();
      return this.usable()(header, input);
    }
  }

  private usable(): LocalJWKSet {
    if (this.current && this.options.now() - this.current.at < USABLE_FOR_MS) return this.current.set;
    throw new ProviderUnreachable('the keys of the identity provider cannot be read');
  }

  private async refresh(): Promise<void> {
    if (this.options.now() - this.failedAt < FAILURE_COOLDOWN_MS) return;
    await (this.pending ??= this.read().finally(() => (this.pending = undefined)));
  }

  private async read(): Promise<void> {
    this.readAt = this.options.now();
    try {
      const set = this.options.setOf(await this.options.read());
      this.current = { set, at: this.options.now() };
    } catch (cause) {
      this.failedAt = this.options.now();
      this.options.onFailure(cause);
    }
  }
}
