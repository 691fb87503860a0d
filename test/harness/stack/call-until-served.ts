import type { Route } from '@assay/contracts';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiResponse, CallOptions, Client } from './client.js';

const MAX_ATTEMPTS = 20;

/**
 * Sends a request, and again after the time of `Retry-After` while the few calls that its route runs concurrently are in
 * use. `refused` gets these responses. @throws Error after 20 attempts
 */
export async function callUntilServed(
  client: Client,
  { method, operation, limits }: Pick<Route, 'method' | 'operation' | 'limits'>,
  path: string,
  { refused, ...options }: CallOptions & { readonly refused?: (response: ApiResponse) => void },
): Promise<ApiResponse> {
  for (let attempt = 1; ; attempt++) {
    const response = await client.call(method, path, options);
    if (limits?.maxConcurrent === undefined || !response.text.includes('"OVERLOADED"')) return response;
    if (attempt === MAX_ATTEMPTS) throw new Error(`${operation} is overloaded: ${response.text}`);
    refused?.(response);
    const seconds = Number(response.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    await delay(seconds * 1_000);
  }
}
