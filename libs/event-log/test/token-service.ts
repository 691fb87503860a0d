import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface TokenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly form: Readonly<Record<string, string>>;
}

export interface TokenService {
  readonly url: string;
  readonly requests: readonly TokenRequest[];
  /** Replaces the response. */
  respondWith(handler: (request: TokenRequest, response: ServerResponse) => void): void;
  close(): Promise<void>;
}

/** A token that brokers of tests accept: a JSON Web Token without a signature. */
export function unsignedToken(subject: string, lifeS = 3_600): string {
  const now = Math.floor(Date.now() / 1_000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ sub: subject, iat: now, exp: now + lifeS })}.`;
}

/** Starts an endpoint on loopback that gives out credentials; 200 with a token for `assay` by default. */
export async function startTokenService(lifeS = 3_600): Promise<TokenService> {
  const requests: TokenRequest[] = [];
  let respond = (_: TokenRequest, response: ServerResponse): void =>
    void response.end(JSON.stringify({ access_token: unsignedToken('assay', lifeS), expires_in: lifeS }));
  const server = createServer((incoming, response) => {
    void text(incoming).then((body) => {
      const { method = '', url = '', headers } = incoming;
      const request = { method, url, headers, form: Object.fromEntries(new URLSearchParams(body)) };
      requests.push(request);
      respond(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    respondWith: (other) => void (respond = other),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
