import type { ReturnedCode } from '@assay/control-plane-client';
import { SteadyValue } from './steady-value.js';
import {
  ProviderRefusal,
  readSignInEndpoints,
  sendForm,
  type SignInEndpoints,
} from './provider-documents.js';
import type { Verified, VerifyToken } from './verify-token.js';

/** What Assay is to the provider. */
export interface ClientOfProvider {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for a public client, which proves by PKCE alone that it began the sign-in. */
  readonly clientSecret?: string | undefined;
  readonly scope: string;
}

export interface SignInClientOptions extends ClientOfProvider {
  readonly verify: VerifyToken;
  /** Called when the provider cannot be reached, and when it refuses a code. */
  readonly onFailure: (phrase: string, cause: unknown) => void;
}

/** The client of the provider that signs people in by the authorization code flow. */
export interface SignInClient extends ClientOfProvider {
  /** Returns the address at which people sign in; undefined while the provider cannot be reached. */
  authorizationEndpoint(): Promise<string | undefined>;
  /** Returns the verified ID token of a code. It never throws. */
  exchange(returned: ReturnedCode): Promise<Verified>;
}

const UNREACHABLE: Verified = {
  problem: 'unreachable',
  message: 'the identity provider cannot be reached',
};
const REFUSED: Verified = { problem: 'claims', message: 'the identity provider did not accept the code' };
const OTHER_ISSUER: Verified = { problem: 'claims', message: 'it is of another issuer' };
const OTHER_SIGN_IN: Verified = { problem: 'claims', message: 'it is of another sign-in' };

export function makeSignInClient({ verify, onFailure, ...client }: SignInClientOptions): SignInClient {
  const { issuer, clientId } = client;
  const endpoints = new SteadyValue<SignInEndpoints>({
    read: () => readSignInEndpoints(issuer),
    onFailure: (cause) => onFailure('the addresses of the identity provider cannot be read', cause),
    now: () => performance.now(),
  });

  async function idTokenOf(returned: ReturnedCode): Promise<string | Verified> {
    const known = await endpoints.get();
    if (known === undefined) return UNREACHABLE;
    try {
      const { form, headers } = requestFor(returned, client, known);
      const { id_token: idToken } = await sendForm(known.token, form, headers);
      return typeof idToken === 'string' ? idToken : REFUSED;
    } catch (cause) {
      onFailure('the identity provider does not exchange a code', cause);
      return cause instanceof ProviderRefusal ? REFUSED : UNREACHABLE;
    }
  }

  return {
    ...client,
    authorizationEndpoint: async () => (await endpoints.get())?.authorization,
    exchange: async (returned) => {
      if (returned.issuer !== null && returned.issuer !== issuer) return OTHER_ISSUER;
      const idToken = await idTokenOf(returned);
      if (typeof idToken !== 'string') return idToken;
      const verified = await verify(idToken, clientId);
      if ('problem' in verified) return verified;
      const { nonce, azp } = verified.claims;
      return nonce === returned.nonce && (azp === undefined || azp === clientId) ? verified : OTHER_SIGN_IN;
    },
  };
}

function requestFor(
  { code, verifier, redirectUri }: ReturnedCode,
  { clientId, clientSecret }: ClientOfProvider,
  { takesBasic }: SignInEndpoints,
): { readonly form: URLSearchParams; readonly headers: Readonly<Record<string, string>> } {
  const form = new URLSearchParams({
    ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
  });
  if (clientSecret !== undefined && takesBasic)
    return { form, headers: { authorization: basicOf(clientId, clientSecret) } };
  form.set('client_id', clientId);
  if (clientSecret !== undefined) form.set('client_secret', clientSecret);
  return { form, headers: {} };
}

/** RFC 6749, 2.3.1: both parts are encoded as in a form. */
function basicOf(clientId: string, clientSecret: string): string {
  const encoded = [clientId, clientSecret].map((part) =>
    new URLSearchParams([['', part]]).toString().slice(1),
  );
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}
