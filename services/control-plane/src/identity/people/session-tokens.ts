import type { HashKey } from '../keys/hash-key.js';
import type { Person } from './person.js';
import { loadJose } from './provider-documents.js';

/** What a signed-in person is stated by. The provider cannot sign it, and what the provider signs is none of it. */
export interface SessionTokens {
  /** Whether a token says that it is one of these. */
  isOne(token: string): boolean;
  issue(person: Person & { readonly groups: readonly string[] }): Promise<string>;
  /** Returns undefined for a token that has expired or is not genuine. */
  read(token: string): Promise<Person | undefined>;
}

const TYPE = 'assay-session+jwt';
const ISSUER = 'assay';
const ALGORITHM = 'HS256';
/** What the key is derived for. No key of a project has this text. */
const PURPOSE = 'assay session of a person 1';

/** @param hashKey HMAC under the pepper: every process of the control plane has the same key, and nothing stores it */
export function makeSessionTokens(hashKey: HashKey, now: () => Date): SessionTokens {
  const { decodeProtectedHeader, errors, jwtVerify, SignJWT } = loadJose();
  const key = Buffer.from(hashKey(PURPOSE), 'base64url');
  return {
    isOne: (token) => {
      try {
        return decodeProtectedHeader(token).typ === TYPE;
      } catch {
        // It has no header: it is refused as a token of the provider.
        return false;
      }
    },
    issue: ({ subject, name, groups, expires }) =>
      new SignJWT({ name, groups: [...groups] })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setIssuer(ISSUER)
        .setSubject(subject)
        .setExpirationTime(expires)
        .sign(key),
    read: async (token) => {
      try {
        const { payload } = await jwtVerify<{ name: string; groups: string[] }>(token, key, {
          ...{ issuer: ISSUER, typ: TYPE, algorithms: [ALGORITHM], currentDate: now() },
          requiredClaims: ['exp', 'sub', 'name', 'groups'],
        });
        const { sub: subject = '', exp: expires = 0, name, groups } = payload;
        return { subject, name, groups, expires };
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
