import { createHash, timingSafeEqual } from 'node:crypto';

/** A data plane as its token shows it to the control plane. */
export interface DataPlane {
  /** `deployment` for the one token of a single deployment. */
  readonly id: string;
  /** Whether it may ask and tell about this project. */
  mayActFor(projectId: string): boolean;
  /**
   * Whether its word is enough that a request comes from the administrator, or from a key that manages keys. Otherwise such a request must
   * bring the client's own key or token.
   */
  readonly vouchesForAdministration: boolean;
}

/** Whose token this is; undefined when it is nobody's. Throws AppError `UNAVAILABLE` when that cannot be found out. */
export type IdentifyDataPlane = (token: string) => Promise<DataPlane | undefined>;

/** The one data plane of a single deployment, which may do everything; nobody when there is no token. */
export function sharedTokenDataPlane(token: string | undefined): IdentifyDataPlane {
  const isToken = makeTokenCheck(token);
  const everything: DataPlane = { id: 'deployment', mayActFor: () => true, vouchesForAdministration: true };
  return (sent) => Promise.resolve(isToken(sent) ? everything : undefined);
}

/** Compares in constant time, over digests so that lengths may differ. Without a secret nothing is equal to it. */
export function makeTokenCheck(secret: string | undefined): (token: string) => boolean {
  if (secret === undefined || secret === '') return () => false;
  const wanted = digest(secret);
  return (token) => timingSafeEqual(digest(token), wanted);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
