import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** A key that a person has signed in with. */
export interface SessionKey {
  readonly projectId: string;
  /** The key itself. */
  readonly key: string;
  /** When it was entered, Unix seconds. */
  readonly since: number;
}

/** What the cookie holds. The server stores nothing of it. */
export interface Session {
  /** One for each project, the latest last. */
  readonly keys: readonly SessionKey[];
  /** Who has signed in with the identity provider; absent where keys alone are. */
  readonly person?: SessionPerson | undefined;
  /** Name under which the person annotates. */
  readonly annotator: string | null;
  /** Unix seconds. */
  readonly expires: number;
}

/** A person who has signed in with the identity provider. */
export interface SessionPerson {
  /** States the person to the control plane, in place of a key. */
  readonly token: string;
  readonly name: string;
  /** The project of requests that name none. */
  readonly projectId: string;
  /** Unix seconds. */
  readonly expires: number;
}

/** A sign-in with the identity provider that a browser has begun. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE verifier. */
  readonly verifier: string;
  readonly redirectUri: string;
  /** Path of the console at which the person continues. */
  readonly target: string;
  /** Unix seconds. */
  readonly expires: number;
}

/** What the cookie of unlocked administration holds. */
export interface Administration {
  readonly token: string;
  /** Unix seconds. */
  readonly expires: number;
}

/** Turns values into text that only holders of the secret can read or make. */
export interface Seal<Value> {
  seal(value: Value): string;
  /** Returns undefined for text that was changed, cut, or sealed with another secret or for another purpose. */
  open(text: string): Value | undefined;
}

/** Turns sessions into text that only holders of the secret can read or make. */
export type SessionSeal = Seal<Session>;

const CIPHER = 'aes-256-gcm';
/** Part of every seal: a text that was sealed for another purpose, or by another version, does not open. */
const SESSION = 'assay console session 1';
const ADMINISTRATION = 'assay console administration 1';
const SIGN_IN = 'assay console sign-in 1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Browsers send no longer cookie. */
const MAX_LENGTH = 4_096;

/** At least one: the first one seals, any one opens, so that a secret can be replaced without signing people out. */
type Secrets = readonly [string, ...string[]];

export const makeSessionSeal = (secrets: Secrets): SessionSeal => makeSeal(secrets, SESSION);

export const makeAdministrationSeal = (secrets: Secrets): Seal<Administration> =>
  makeSeal(secrets, ADMINISTRATION);

export const makeSignInSeal = (secrets: Secrets): Seal<PendingSignIn> => makeSeal(secrets, SIGN_IN);

/** A secret, for one purpose. */
interface SealKey {
  readonly bytes: Buffer;
  readonly purpose: Buffer;
}

function makeSeal<Value>(secrets: Secrets, purpose: string): Seal<Value> {
  const [newest, ...former] = secrets.map((secret) => keyOf(secret, purpose)) as [SealKey, ...SealKey[]];
  return {
    seal: (value) => seal(newest, JSON.stringify(value)),
    open: (text) => {
      const bytes = text.length <= MAX_LENGTH ? Buffer.from(text, 'base64url') : undefined;
      if (bytes === undefined || bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
      for (const key of [newest, ...former]) {
        const opened = open(key, bytes);
        if (opened !== undefined) return JSON.parse(opened) as Value;
      }
      return undefined;
    },
  };
}

function keyOf(secret: string, purpose: string): SealKey {
  return {
    bytes: Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)),
    purpose: Buffer.from(purpose),
  };
}

function seal({ bytes, purpose }: SealKey, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, bytes, nonce, { authTagLength: TAG_BYTES }).setAAD(purpose);
  const sealed = [cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString('base64url');
}

function open(key: SealKey, bytes: Buffer): string | undefined {
  const tagStart = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key.bytes, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(key.purpose).setAuthTag(bytes.subarray(tagStart));
  const text = decipher.update(bytes.subarray(NONCE_BYTES, tagStart));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    // The tag does not fit: `final` throws for nothing else.
    return undefined;
  }
}
