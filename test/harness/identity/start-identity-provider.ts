import { fork } from 'node:child_process';
import { generateKeyPairSync, randomUUID, sign, type JsonWebKey, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { own } from '@assay/testing';
import { freePort } from '../stack/free-port.js';
import { repository } from '../stack/repository.js';

const KEY_ID = 'key-of-the-provider';

/** What the address of the keys does instead of responding with them. */
export type KeysFault = 'hang' | 'huge' | 'fail';

/** What the address that exchanges codes does instead; a text is the ID token that it sends. */
export type ExchangeFault = KeysFault | 'garbage' | 'redirect' | { readonly idToken: string };

/** Path of the console that the provider sends browsers back to. */
const CALLBACK = '/console/session/provider/callback';

/** A real identity provider behind a front that counts requests for its keys and can break them. */
export interface IdentityProvider {
  readonly issuer: string;
  /** Requests for the keys so far. */
  readonly keyRequests: () => number;
  /** Breaks the address of the keys from now on; undefined repairs it. */
  breakKeys(fault: KeysFault | undefined): void;
  /** Breaks the address that exchanges codes from now on; undefined repairs it. */
  breakExchange(fault: ExchangeFault | undefined): void;
  /** What was sent to the address that exchanges codes, newest last. */
  readonly exchanges: readonly Exchange[];
  /** Returns a token that the provider issues to a person, for the audience `https://<audience>`. */
  issue(person: string, audience?: string): Promise<string>;
  /** Signs a token with the key of the provider, which the provider itself would not issue. */
  forge(claims: object, header?: object): string;
  /** The public key of the provider, as text. */
  readonly publicKey: string;
  stop(): Promise<void>;
}

/** A request to exchange a code. */
export interface Exchange {
  readonly authorization: string | undefined;
  readonly form: URLSearchParams;
}

/** @param people claims of the tokens of each person */
export async function startIdentityProvider(
  people: Readonly<Record<string, object>>,
): Promise<IdentityProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const port = await freePort();
  const state: {
    fault?: KeysFault | undefined;
    exchangeFault?: ExchangeFault | undefined;
    keyRequests: number;
  } = {
    keyRequests: 0,
  };
  const exchanges: Exchange[] = [];
  const front = createServer((incoming, response) => {
    if (incoming.url === '/jwks') {
      state.keyRequests++;
      if (state.fault !== undefined) return breakResponse(response, state.fault);
    }
    if (incoming.url === '/token') {
      void text(incoming).then((form) =>
        exchanges.push({ authorization: incoming.headers.authorization, form: new URLSearchParams(form) }),
      );
      if (state.exchangeFault !== undefined) return breakResponse(response, state.exchangeFault);
    }
    forward(incoming, response, port);
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  const issuer = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const key = { ...privateKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'RS256', use: 'sig' };
  const child = own(startProgram({ issuer, port, key, people, callback: CALLBACK }));
  await once(child, 'message');
  return {
    issuer,
    keyRequests: () => state.keyRequests,
    breakKeys: (fault) => void (state.fault = fault),
    breakExchange: (fault) => void (state.exchangeFault = fault),
    exchanges,
    issue: (person, audience = 'assay') => issueToken(issuer, person, audience),
    forge: (claims, header = {}) =>
      signed({ alg: 'RS256', kid: KEY_ID, ...header }, claimsOf(issuer, claims), privateKey),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    stop: async () => {
      const ended = Promise.all([once(child, 'exit'), once(front, 'close')]);
      child.kill('SIGKILL');
      front.close();
      front.closeAllConnections();
      await ended;
    },
  };
}

/** Returns a token from its parts, signed by RS256, or with the given signature. */
export function signed(header: object, claims: object, key: KeyObject | Buffer): string {
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = Buffer.isBuffer(key) ? key : sign('sha256', Buffer.from(text), key);
  return `${text}.${signature.toString('base64url')}`;
}

/** Returns the claims of a valid token of the provider, with these in place of its own. */
export function claimsOf(issuer: string, claims: object): object {
  const now = Math.floor(Date.now() / 1_000);
  return { iss: issuer, aud: 'assay', sub: randomUUID(), iat: now, exp: now + 600, ...claims };
}

function startProgram(options: {
  readonly issuer: string;
  readonly port: number;
  readonly key: JsonWebKey;
  readonly people: object;
  readonly callback: string;
}) {
  return fork(join(repository, 'test/harness/identity/provider.mjs'), {
    env: { ...process.env, PROVIDER: JSON.stringify(options) },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

async function issueToken(issuer: string, person: string, audience: string): Promise<string> {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'client_credentials', client_id: person, resource: `https://${audience}` },
      client_secret: 'secret-of-every-person-of-the-test',
    }),
  });
  const { access_token } = (await response.json()) as { access_token?: string };
  if (access_token === undefined) throw new Error(`the provider responded with status ${response.status}`);
  return access_token;
}

function breakResponse(response: ServerResponse, fault: ExchangeFault): void {
  if (fault === 'hang') return;
  if (fault === 'redirect') return void response.writeHead(307, { location: '/elsewhere' }).end();
  if (fault === 'garbage') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>eyJ');
  if (typeof fault === 'object') {
    const body = JSON.stringify({ token_type: 'Bearer', access_token: 'a', id_token: fault.idToken });
    return void response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  }
  response.writeHead(fault === 'fail' ? 500 : 200, { 'content-type': 'application/json' });
  response.end(fault === 'fail' ? '{}' : JSON.stringify({ keys: [], padding: 'x'.repeat(10_000_000) }));
}

function forward(incoming: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url: path, headers } = incoming;
  const upstream = request({ host: '127.0.0.1', port, method, path, headers }, (received) => {
    response.writeHead(received.statusCode ?? 502, received.headers);
    received.pipe(response);
  });
  upstream.on('error', () => response.destroy());
  incoming.pipe(upstream);
}
