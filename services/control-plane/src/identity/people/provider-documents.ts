import { createRequire } from 'node:module';
import type * as jose from 'jose' with { 'resolution-mode': 'import' };

/** Loaded when a provider is configured: no other process needs it. */
export const loadJose = () => createRequire(__filename)('jose') as typeof jose;

/** Less than a data plane waits for the look-up of a credential. For both documents together. */
const TIMEOUT_MS = 2_500;
const MAX_BYTES = 256 * 1024;
const MAX_KEYS = 100;

/** What the provider states of itself. */
type Metadata = Readonly<Record<string, unknown>>;

/** Where people sign in at the provider, and where a code is exchanged. */
export interface SignInEndpoints {
  readonly authorization: string;
  readonly token: string;
  /** Whether the client secret may be sent in the header `Authorization`. */
  readonly takesBasic: boolean;
}

/** Reads the keys that the provider publishes. @throws Error when it cannot be reached in time, or what it sends is not valid */
export async function readProviderKeys(issuer: string): Promise<jose.JSONWebKeySet> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const metadata = await readMetadata(issuer, signal);
  const { keys } = await readProvider(addressIn(metadata, 'jwks_uri', issuer), { signal });
  if (!Array.isArray(keys) || keys.length > MAX_KEYS)
    throw new Error('the provider publishes no list of keys');
  return { keys: keys as jose.JWK[] };
}

/** Reads where people sign in. @throws Error when the provider cannot be reached in time, or what it sends is not valid */
export async function readSignInEndpoints(issuer: string): Promise<SignInEndpoints> {
  const metadata = await readMetadata(issuer, AbortSignal.timeout(TIMEOUT_MS));
  const { token_endpoint_auth_methods_supported: methods } = metadata;
  return {
    authorization: addressIn(metadata, 'authorization_endpoint', issuer),
    token: addressIn(metadata, 'token_endpoint', issuer),
    takesBasic: !Array.isArray(methods) || methods.includes('client_secret_basic'),
  };
}

/** The provider refuses a request: it responds with 400 or 401. */
export class ProviderRefusal extends Error {}

/** Sends a form to the provider. @throws ProviderRefusal; Error when it cannot be reached in time, or what it sends is not valid */
export function sendForm(
  url: string,
  form: URLSearchParams,
  headers: Readonly<Record<string, string>>,
): Promise<Metadata> {
  return readProvider(url, { method: 'POST', body: form, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
}

async function readMetadata(issuer: string, signal: AbortSignal): Promise<Metadata> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const metadata = await readProvider(url, { signal });
  if (metadata.issuer !== issuer) throw new Error('the provider states another issuer than OIDC_ISSUER');
  return metadata;
}

/** Addresses of an issuer with TLS have it too. */
function addressIn(metadata: Metadata, name: string, issuer: string): string {
  const address = metadata[name];
  const { protocol } = typeof address === 'string' && URL.canParse(address) ? new URL(address) : {};
  if (protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'))) return String(address);
  throw new Error(`the provider states no http or https address as ${name}`);
}

async function readProvider(url: string, { headers, ...init }: RequestInit): Promise<Metadata> {
  const accepting = { accept: 'application/json', ...(headers as Record<string, string>) };
  const response = await fetch(url, { ...init, redirect: 'error', headers: accepting });
  if (response.status !== 200) {
    await response.body?.cancel();
    const message = `the provider responded with status ${response.status}`;
    throw [400, 401].includes(response.status) ? new ProviderRefusal(message) : new Error(message);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += (part as Uint8Array).length;
    if (bytes > MAX_BYTES) throw new Error(`the provider sent more than ${MAX_BYTES} bytes`);
    parts.push(part as Uint8Array);
  }
  return parseObject(Buffer.concat(parts).toString('utf8'));
}

/** What the provider sent may be a secret, which the message of a parser would repeat. */
function parseObject(text: string): Metadata {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null) throw new Error('the provider sent no object');
  return value as Metadata;
}
