import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * HMAC-SHA-256 with the pepper, in base64url. A fast hash suffices, because secrets of 256 bits cannot be
 * guessed.
 */
export type HashKey = (text: string) => string;

/** @param pepper secret of the deployment, stored apart from the documents */
export function makeHashKey(pepper: string): HashKey {
  return (text) => createHmac('sha256', pepper).update(text).digest('base64url');
}

/** Compares two results of {@link HashKey}, which have equal lengths, in constant time. */
export function equalHashes(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(left), Buffer.from(right));
}
