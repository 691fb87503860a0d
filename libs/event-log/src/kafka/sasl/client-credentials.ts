import { callEndpoint, objectIn } from './call-endpoint.js';
import { TokenRefusedError, type AccessToken } from './refreshed-token.js';

/** A client of an authorization server, by OAuth 2.0 client credentials (RFC 6749, section 4.4). */
export interface OauthClient {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string | undefined;
  readonly audience?: string | undefined;
  /** Authorities of the token endpoint in PEM; absent: those of Node. */
  readonly ca?: Buffer | undefined;
}

/** Life of a token whose response names none. */
const DEFAULT_LIFE_S = 300;
const MAX_LIFE_S = 7 * 24 * 3_600;

/** Gets a token. @throws TokenRefusedError when the endpoint refuses the client, Error when it does not respond with a token */
export async function fetchClientToken(client: OauthClient, now: () => number): Promise<AccessToken> {
  const requestedAt = now();
  const { status, text } = await callEndpoint({
    method: 'POST',
    url: client.tokenUrl,
    ca: client.ca,
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      authorization: basicOf(client),
    },
    body: formOf(client),
  });
  if (status === 400 || status === 401 || status === 403)
    throw new TokenRefusedError(`the token endpoint of Kafka refuses the client with status ${status}`);
  const { access_token: value, expires_in: life } = objectIn(text);
  if (status !== 200 || typeof value !== 'string' || value === '')
    throw new Error(`the token endpoint of Kafka responded without a token, with status ${status}`);
  const seconds = Number(life ?? DEFAULT_LIFE_S);
  const lifeS = seconds > 0 ? Math.min(seconds, MAX_LIFE_S) : DEFAULT_LIFE_S;
  return { value, expiresAt: requestedAt + lifeS * 1_000 };
}

function formOf({ scope, audience }: OauthClient): string {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope) form.set('scope', scope);
  if (audience) form.set('audience', audience);
  return form.toString();
}

/** Id and secret are form-encoded before they are joined (RFC 6749, section 2.3.1). */
function basicOf({ clientId, clientSecret }: OauthClient): string {
  const pair = [clientId, clientSecret].map((text) => new URLSearchParams({ v: text }).toString().slice(2));
  return `Basic ${Buffer.from(pair.join(':')).toString('base64')}`;
}
