import { hash, timingSafeEqual } from 'node:crypto';

/** A data plane, as identified by its token. */
export interface DataPlane {
  /** `deployment` for the shared token of a single deployment. */
  readonly id: string;
  /** Returns whether the token is bound to this project. */
  mayActFor(projectId: string): boolean;
  /**
   * Whether the data plane may state that a request comes from the administrator, or from a key that manages keys.
   * Otherwise such a request must carry the client's own key or token.
   */
  readonly vouchesForAdministration: boolean;
}

/** Returns the data plane of a token; undefined for an unknown token. @throws AppError `UNAVAILABLE` when the look-up fails */
export type IdentifyDataPlane = (token: string) => Promise<DataPlane | undefined>;

/** The data plane of a single deployment, which may do everything. Without a token no data plane is accepted. */
export function sharedTokenDataPlane(token: string | undefined): IdentifyDataPlane {
  const isToken = makeTokenCheck(token);
  const everything: DataPlane = { id: 'deployment', mayActFor: () => true, vouchesForAdministration: true };
  return (sent) => Promise.resolve(isToken(sent) ? everything : undefined);
}

/**
 * Compares tokens of the length of the secret in constant time. The time shows only that length, which is not secret: most
 * requests have a key of another one, and hashing each would cost more than the rest of the check. Without a secret no
 * token is equal to it.
 */
export function makeTokenCheck(secret: string | undefined): (token: string) => boolean {
  if (secret === undefined || secret === '') return () => false;
  const wanted = digest(secret);
  return (token) => token.length === secret.length && timingSafeEqual(digest(token), wanted);
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
