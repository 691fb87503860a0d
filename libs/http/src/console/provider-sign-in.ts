import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { SignInProvider } from '@assay/control-plane-client';
import { originOf } from '../request/client-address.js';
import { requestIdOf } from '../request/request-context.js';
import { toAppError } from '../response/error-response.js';
import { makeSignInSeal, type PendingSignIn, type Seal } from './sealed-session.js';
import {
  clearCookie,
  cookieOf,
  readCookie,
  setCookie,
  signInCookie,
  type CookieOfSite,
} from './session-cookie.js';
import type { SessionDeps } from './session-resource.js';

/** Where the provider sends browsers back to. */
export const SIGN_IN_CALLBACK = '/console/session/provider/callback';
const HOME = '/console/';
const PENDING_SECONDS = 10 * 60;
const MAX_TARGET_LENGTH = 1_500;
/** A page, and nothing that signs in: the browser would go in circles. */
const PAGE = /^\/console\/(?!session|code|sign-in)/;
const MAX_CODE_LENGTH = 4_096;
const RANDOM_BYTES = 32;
/** A change of the settings, which needs a restart anyway, is seen after this time. */
const PROVIDER_KNOWN_FOR_MS = 5_000;

/** Why a browser is back at the page that signs in, which has a sentence for each. */
type Problem =
  | 'denied'
  | 'expired'
  | 'insecure'
  | 'no_access'
  | 'refused'
  | 'too_many'
  | 'too_many_groups'
  | 'unreachable';

/** Where a browser goes next. */
export interface Redirect {
  readonly location: string;
  /** Values of `Set-Cookie`. */
  readonly cookies: readonly string[];
}

/** Signs people in with the identity provider, by its authorization code flow with PKCE. */
export class ProviderSignIn {
  readonly #seal: Seal<PendingSignIn>;
  readonly #provider: () => Promise<SignInProvider | undefined>;

  constructor(private readonly deps: SessionDeps) {
    this.#seal = makeSignInSeal(deps.options.secrets);
    this.#provider = makeKnownProvider(deps);
  }

  /** Returns whether people can sign in with an identity provider here. @throws AppError `UNAVAILABLE` */
  async options(): Promise<{ readonly identity_provider: boolean }> {
    return { identity_provider: (await this.#provider()) !== undefined };
  }

  /** Sends the browser to the provider. It never throws. */
  async begin(request: IncomingMessage): Promise<Redirect> {
    const target = targetOf(queryOf(request).get('next'));
    try {
      return await this.#begin(request, target);
    } catch (error) {
      return backToSignIn(this.#problemOf(error, request), target);
    }
  }

  /** Ends what {@link ProviderSignIn.begin} has begun: in a session, or on the page that says why there is none. It never throws. */
  async complete(request: IncomingMessage): Promise<Redirect> {
    try {
      return await this.#complete(request, queryOf(request));
    } catch (error) {
      return backToSignIn(this.#problemOf(error, request), HOME);
    }
  }

  async #begin(request: IncomingMessage, target: string): Promise<Redirect> {
    const { options, sessions } = this.deps;
    const cookie = this.#cookieOf(request);
    const provider = await this.#provider();
    if (provider === undefined || provider.authorizationEndpoint === null)
      return backToSignIn('unreachable', target);
    const origin = options.publicOrigin ?? sessions.siteOf(request)?.origin ?? '';
    const pending: PendingSignIn = {
      ...{ state: randomText(), nonce: randomText(), verifier: randomText(), target },
      redirectUri: `${origin}${SIGN_IN_CALLBACK}`,
      expires: sessions.now() + PENDING_SECONDS,
    };
    return {
      location: addressAtProvider(provider.authorizationEndpoint, provider, pending),
      cookies: [setCookie(cookie, this.#seal.seal(pending), PENDING_SECONDS)],
    };
  }

  async #complete(request: IncomingMessage, returned: URLSearchParams): Promise<Redirect> {
    const pending = this.#pendingOf(request, returned.get('state'));
    if (pending === undefined) return backToSignIn('expired', HOME);
    const cookies = [clearCookie(this.#cookieOf(request))];
    try {
      const outcome = await this.#sessionOf(request, pending, returned);
      if (typeof outcome === 'string') return { ...backToSignIn(outcome, pending.target), cookies };
      return { location: pending.target, cookies: [...cookies, outcome.cookie] };
    } catch (error) {
      return { ...backToSignIn(this.#problemOf(error, request), pending.target), cookies };
    }
  }

  /** What this browser has begun. Without it, the code of an attacker would sign the person in as them. */
  #pendingOf(request: IncomingMessage, state: string | null): PendingSignIn | undefined {
    const text = readCookie(request.headers, this.#cookieOf(request).name);
    const pending = text === undefined ? undefined : this.#seal.open(text);
    if (pending === undefined || pending.expires <= this.deps.sessions.now()) return undefined;
    return state !== null && isSame(state, pending.state) ? pending : undefined;
  }

  async #sessionOf(
    request: IncomingMessage,
    { nonce, verifier, redirectUri }: PendingSignIn,
    returned: URLSearchParams,
  ): Promise<Problem | { readonly cookie: string }> {
    const { options, sessions, logins, isTrustedProxy } = this.deps;
    const { people } = options;
    if (returned.has('error')) return returned.get('error') === 'access_denied' ? 'denied' : 'refused';
    const code = returned.get('code') ?? '';
    if (people === undefined || code === '' || code.length > MAX_CODE_LENGTH) return 'refused';
    logins.count(originOf(request, undefined, isTrustedProxy).address);
    const issuer = returned.get('iss');
    const { session, problem } = await people.completeSignIn({ code, verifier, nonce, redirectUri, issuer });
    if (session === null) return problem ?? 'refused';
    const [first] = await people.projectsOfPerson(session.token);
    const expires = Math.floor(Date.parse(session.expiresAt) / 1_000);
    if (expires <= sessions.now()) return 'refused';
    if (first === undefined) return 'no_access';
    const person = { token: session.token, name: session.name, projectId: first.projectId, expires };
    return { cookie: sessions.write(request, { keys: [], person, annotator: null }) };
  }

  /** What is not expected is logged, and ends on the page too. */
  #problemOf(error: unknown, request: IncomingMessage): Problem {
    const failure = toAppError(error);
    if (failure.code === 'RATE_LIMITED') return 'too_many';
    if (failure.code === 'FORBIDDEN') return 'insecure';
    if (failure.code === 'VALIDATION_ERROR') return 'refused';
    if (failure.code === 'UNAVAILABLE') return 'unreachable';
    const requestId = requestIdOf(request.headers);
    this.deps.logger?.error('a sign-in failed', { requestId, code: failure.code }, failure.cause ?? failure);
    return 'unreachable';
  }

  #cookieOf(request: IncomingMessage): CookieOfSite {
    return signInCookie(cookieOf(this.deps.sessions.siteOf(request), this.deps.options.allowsHttp));
  }
}

/** Anybody may ask, and the control plane is asked once in five seconds. */
function makeKnownProvider({ options }: SessionDeps): () => Promise<SignInProvider | undefined> {
  let known: { readonly provider: SignInProvider | undefined; readonly at: number } | undefined;
  let pending: Promise<SignInProvider | undefined> | undefined;
  const ask = async () => {
    const provider = await options.people?.signInProvider();
    known = { provider, at: performance.now() };
    return provider;
  };
  return async () => {
    if (known !== undefined && performance.now() - known.at < PROVIDER_KNOWN_FOR_MS) return known.provider;
    return (pending ??= ask().finally(() => (pending = undefined)));
  };
}

function addressAtProvider(
  endpoint: string,
  { clientId, scope }: SignInProvider,
  { state, nonce, verifier, redirectUri }: PendingSignIn,
): string {
  const url = new URL(endpoint);
  const parameters = {
    ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, scope, state, nonce },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function backToSignIn(problem: Problem, target: string): Redirect {
  const query = new URLSearchParams({ problem });
  if (target !== HOME) query.set('next', target.slice(HOME.length - 1));
  return { location: `/console/sign-in?${query.toString()}`, cookies: [] };
}

/** Returns a page of the console, whatever is asked for. It begins with a path, so that no browser takes it for another host. */
function targetOf(next: string | null): string {
  if (next === null || next.length > MAX_TARGET_LENGTH || !next.startsWith('/')) return HOME;
  const text = `http://console/console${next}`;
  if (!URL.canParse(text)) return HOME;
  const { host, pathname, search } = new URL(text);
  return host === 'console' && PAGE.test(pathname) ? `${pathname}${search}` : HOME;
}

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : url.slice(start));
}

const randomText = () => randomBytes(RANDOM_BYTES).toString('base64url');

function isSame(left: string, right: string): boolean {
  const [first, second] = [Buffer.from(left), Buffer.from(right)];
  return first.length === second.length && timingSafeEqual(first, second);
}
