import type { Authenticator } from '@assay/control-plane-client';
import { ADMINISTRATOR, administratorIdIn, type Administrator } from '@assay/domain';
import { makeTokenCheck } from './data-plane.js';

export interface AdministratorOptions {
  readonly authenticator: Partial<Pick<Authenticator, 'authenticateAdministrator'>>;
  /** Token of an administrator with all rights, which no control plane has to confirm; absent: there is none. */
  readonly adminToken?: string;
}

/** Returns the administrator of a token; undefined for a text that cannot be one, so that no request with a key waits for a look-up. */
export type IdentifyAdministrator = (
  token: string,
) => Administrator | Promise<Administrator | undefined> | undefined;

/** The returned function rejects with AppError `UNAVAILABLE` when the token cannot be looked up. */
export function makeIdentifyAdministrator({
  authenticator,
  adminToken,
}: AdministratorOptions): IdentifyAdministrator {
  const isAdminToken = makeTokenCheck(adminToken);
  return function identifyAdministrator(token) {
    if (isAdminToken(token)) return ADMINISTRATOR;
    return administratorIdIn(token) === undefined
      ? undefined
      : authenticator.authenticateAdministrator?.(token);
  };
}
