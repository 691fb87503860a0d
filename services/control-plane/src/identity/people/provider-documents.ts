import { createRequire } from 'node:module';
import type * as jose from 'jose' with { 'resolution-mode': 'import' };

/** Loaded when a provider is configured: no other process needs it. */
export const loadJose = () => createRequire(__filename)('jose') as typeof jose;

/** Less than a data plane waits for the look-up of a credential. For both documents together. */
const TIMEOUT_MS = 2_500;
const MAX_BYTES = 256 * 1024;
const MAX_KEYS = 100;

/** Reads the keys that the provider publishes. @throws Error when it cannot be reached in time, or what it sends is not valid */
export async function readProviderKeys(issuer: string): Promise<jose.JSONWebKeySet> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const metadata = await readJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, signal);
  if (metadata.issuer !== issuer) throw new Error('the provider states another issuer than OIDC_ISSUER');
  const { jwks_uri: address } = metadata;
  const isSame = typeof address === 'string' && URL.canParse(address) && isSafe(new URL(address), issuer);
  if (!isSame) throw new Error('the provider states no http or https address of its keys');
  const { keys } = await readJson(address, signal);
  if (!Array.isArray(keys) || keys.length > MAX_KEYS)
    throw new Error('the provider publishes no list of keys');
  return { keys: keys as jose.JWK[] };
}

/** Keys of an issuer with TLS come by TLS too. */
function isSafe({ protocol }: URL, issuer: string): boolean {
  return protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'));
}

async function readJson(url: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (response.status !== 200) throw new Error(`the provider responded with status ${response.status}`);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += (part as Uint8Array).length;
    if (bytes > MAX_BYTES) throw new Error(`the provider sent more than ${MAX_BYTES} bytes`);
    parts.push(part as Uint8Array);
  }
  const value: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'));
  if (typeof value !== 'object' || value === null) throw new Error('the provider sent no object');
  return value as Record<string, unknown>;
}
