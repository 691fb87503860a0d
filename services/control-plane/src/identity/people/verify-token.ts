import type * as jose from 'jose' with { 'resolution-mode': 'import' };
import { ProviderKeys, ProviderUnreachable } from './provider-keys.js';
import { loadJose, readProviderKeys } from './provider-documents.js';

/** Only keys that the provider alone can sign with: no secrets, and no absent signature. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const CLOCK_TOLERANCE_SECONDS = 30;
const MAX_SUBJECT_LENGTH = 255;

/** Why a token is refused. */
export type TokenProblem =
  | 'malformed'
  | 'signature'
  | 'unknown_key'
  | 'expired'
  | 'claims'
  | 'unreachable'
  | 'no_access';

/** The claims of a genuine token that is valid now, or what is wrong with it. */
export type Verified =
  | { readonly claims: jose.JWTPayload & { readonly sub: string; readonly exp: number } }
  | { readonly problem: TokenProblem; readonly message: string };

export interface VerifyTokenOptions {
  readonly issuer: string;
  /** Called when the keys of the provider cannot be read. */
  readonly onFailure: (cause: unknown) => void;
  readonly now: () => Date;
}

/** Verifies a token for an audience. It never throws: each token that is not valid has a problem. */
export type VerifyToken = (token: string, audience: string) => Promise<Verified>;

export function makeVerifyToken({ issuer, onFailure, now }: VerifyTokenOptions): VerifyToken {
  const { createLocalJWKSet, errors, jwtVerify } = loadJose();
  const keys = new ProviderKeys({
    read: () => readProviderKeys(issuer),
    setOf: createLocalJWKSet,
    isUnknownKey: (error) => error instanceof errors.JWKSNoMatchingKey,
    onFailure,
    now: () => performance.now(),
  });
  return async function verifyToken(token, audience) {
    try {
      const { payload } = await jwtVerify(token, (header, input) => keys.find(header, input), {
        ...{ issuer, audience, algorithms: ALGORITHMS, currentDate: now() },
        ...{ clockTolerance: CLOCK_TOLERANCE_SECONDS, requiredClaims: ['exp', 'sub'] },
      });
      const { sub = '', exp = 0 } = payload;
      if (sub === '' || sub.length > MAX_SUBJECT_LENGTH) return CLAIMS.sub;
      return { claims: { ...payload, sub, exp } };
    } catch (error) {
      return problemOf(error, errors);
    }
  };
}

const CLAIMS = {
  iss: claim('it is of another issuer'),
  aud: claim('it is for another audience'),
  nbf: claim('it is not valid yet'),
  sub: claim('it has no subject'),
  exp: claim('it has no expiry'),
} as const;

function claim(message: string): Verified {
  return { problem: 'claims', message };
}

function problemOf(error: unknown, errors: typeof jose.errors): Verified {
  if (error instanceof ProviderUnreachable)
    return { problem: 'unreachable', message: 'the identity provider cannot be reached' };
  if (error instanceof errors.JWTExpired) return { problem: 'expired', message: 'it has expired' };
  if (error instanceof errors.JWTClaimValidationFailed)
    return (
      Object.entries(CLAIMS).find(([name]) => name === error.claim)?.[1] ?? claim('a claim is not valid')
    );
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JWSSignatureVerificationFailed)
    return { problem: 'signature', message: 'its signature is not one of the identity provider' };
  if (error instanceof errors.JWKSNoMatchingKey)
    return { problem: 'unknown_key', message: 'the identity provider does not publish its key' };
  return { problem: 'malformed', message: 'it cannot be read' };
}
