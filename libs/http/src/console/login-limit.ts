import { isIPv6 } from 'node:net';
import { AppError } from '@assay/errors';

const MAX_LOGINS = 10;
const WINDOW_MS = 60_000;
/** Addresses that are remembered at a time; beyond it the one whose minute began first is forgotten. */
const MAX_ADDRESSES = 10_000;

interface Window {
  readonly startedAt: number;
  count: number;
}

/** Bounds how often an address may try to sign in. One network of IPv6 (/64) counts as one address. */
export class LoginLimit {
  readonly #windows = new Map<string, Window>();

  /** @param now Unix milliseconds */
  constructor(private readonly now: () => number) {}

  /** Counts an attempt. @throws AppError `RATE_LIMITED` beyond 10 in a minute */
  count(address: string): void {
    const client = isIPv6(address) ? networkOf(address) : address;
    const now = this.now();
    const known = this.#windows.get(client);
    if (known === undefined || Math.abs(now - known.startedAt) >= WINDOW_MS) return this.#begin(client, now);
    if (known.count >= MAX_LOGINS) throw tooMany(known.startedAt + WINDOW_MS - now);
    known.count++;
  }

  #begin(client: string, startedAt: number): void {
    // Deleted first, so that the map stays in the order of the starts.
    this.#windows.delete(client);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size >= MAX_ADDRESSES && oldest !== undefined) this.#windows.delete(oldest);
    this.#windows.set(client, { startedAt, count: 1 });
  }
}

function tooMany(ms: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(ms / 1_000));
  const message = 'too many attempts to sign in from this address, wait a minute';
  return new AppError('RATE_LIMITED', message, { details: { retryAfterSeconds } });
}

/** Returns the first 64 bits of an address. */
function networkOf(address: string): string {
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const start = head.split(':').filter((group) => group !== '');
  const end = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => '0');
  return [...start, ...zeros, ...end]
    .slice(0, 4)
    .map((group) => parseInt(group, 16))
    .join(':');
}
