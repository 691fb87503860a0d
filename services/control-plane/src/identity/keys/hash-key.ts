import { createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA-256 under the pepper, base64url. A fast hash is right for secrets of 256 bits and more: guessing is hopeless anyway. */
export type HashKey = (text: string) => string;

/** @param pepper secret of the deployment, kept apart from the documents */
export function makeHashKey(pepper: string): HashKey {
  return (text) => createHmac('sha256', pepper).update(text).digest('base64url');
}

/** In a time that says nothing about where they differ. Both come from {@link HashKey}, so their lengths are equal. */
export function equalHashes(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(left), Buffer.from(right));
}
