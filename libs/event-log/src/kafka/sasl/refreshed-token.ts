import { KafkaJSConnectionError } from 'kafkajs';

/** A token that brokers accept. */
export interface AccessToken {
  readonly value: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** The credentials are wrong: no retry helps. The message names settings and no value. */
export class TokenRefusedError extends Error {
  override readonly name = 'TokenRefusedError';
}

/** A token is replaced when this part of its life is over. */
const REFRESH_AFTER = 0.8;
/** A token that could not be replaced is used until shortly before it expires. */
const LAST_USE_MS = 5_000;
/** After a failure, how long the token that is still valid is used before the next attempt. */
const RETRY_MS = 10_000;

export interface RefreshedTokenOptions {
  /** Gets a new token. MUST settle within a bounded time. */
  readonly fetchToken: () => Promise<AccessToken>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * Returns a function that returns a token which is valid for some time. Connections share it, and one request at a time replaces it. A
 * failure is thrown only when there is no valid token: as an error that kafkajs retries, or as a {@link TokenRefusedError}.
 */
export function makeRefreshedToken({ fetchToken, now }: RefreshedTokenOptions): () => Promise<string> {
  let current: (AccessToken & { readonly refreshAt: number }) | undefined;
  let pending: Promise<void> | undefined;

  async function replace(): Promise<void> {
    const startedAt = now();
    try {
      const token = await fetchToken();
      current = { ...token, refreshAt: startedAt + REFRESH_AFTER * (token.expiresAt - startedAt) };
    } catch (error) {
      if (current === undefined || current.expiresAt - LAST_USE_MS <= now()) throw retriable(error);
      current = { ...current, refreshAt: now() + RETRY_MS };
    }
  }

  return async () => {
    if (current === undefined || now() >= current.refreshAt)
      await (pending ??= replace().finally(() => (pending = undefined)));
    if (current === undefined) throw new KafkaJSConnectionError('there is no token for the brokers');
    return current.value;
  };
}

function retriable(error: unknown): Error {
  if (error instanceof TokenRefusedError) return error;
  const message = error instanceof Error ? error.message : 'the token for the brokers is not available';
  return new KafkaJSConnectionError(message);
}
