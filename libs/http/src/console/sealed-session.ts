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
  /** Name under which the person annotates. */
  readonly annotator: string | null;
  /** Unix seconds. */
  readonly expires: number;
}

/** Turns sessions into text that only holders of the secret can read or make. */
export interface SessionSeal {
  seal(session: Session): string;
  /** Returns undefined for text that was changed, cut, or sealed with another secret. */
  open(text: string): Session | undefined;
}

const CIPHER = 'aes-256-gcm';
/** Part of every seal: a text that was sealed for another purpose, or by another version, does not open. */
const PURPOSE = Buffer.from('assay console session 1');
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Browsers send no longer cookie. */
const MAX_LENGTH = 4_096;

/** @param secrets the first one seals; any one opens, so that a secret can be replaced without signing people out */
export function makeSessionSeal(secrets: readonly [string, ...string[]]): SessionSeal {
  const [newest, ...former] = secrets.map(keyOf) as [Buffer, ...Buffer[]];
  return {
    seal: (session) => seal(newest, JSON.stringify(session)),
    open: (text) => {
      const bytes = text.length <= MAX_LENGTH ? Buffer.from(text, 'base64url') : undefined;
      if (bytes === undefined || bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
      for (const key of [newest, ...former]) {
        const opened = open(key, bytes);
        if (opened !== undefined) return JSON.parse(opened) as Session;
      }
      return undefined;
    },
  };
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, 32));
}

function seal(key: Buffer, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(PURPOSE);
  const sealed = [cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString('base64url');
}

function open(key: Buffer, bytes: Buffer): string | undefined {
  const tagStart = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(PURPOSE).setAuthTag(bytes.subarray(tagStart));
  const text = decipher.update(bytes.subarray(NONCE_BYTES, tagStart));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    // The tag does not fit: `final` throws for nothing else.
    return undefined;
  }
}
