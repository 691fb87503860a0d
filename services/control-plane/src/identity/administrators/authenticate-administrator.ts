import { administratorIdIn, type Administrator } from '@assay/domain';
import { equalHashes, type HashKey } from '../keys/hash-key.js';
import { isExpired, type AdministratorCollection } from './administrator-document.js';

/**
 * Returns the administrator of a token, or undefined if it is unknown, revoked or expired. Malformed tokens are rejected without a look-up.
 * Others are looked up by the id that they contain and compared in constant time, with a dummy hash if the id is unknown.
 */
export function makeAuthenticateAdministrator(deps: {
  administrators: AdministratorCollection;
  hashKey: HashKey;
  now: () => Date;
}) {
  const dummy = deps.hashKey('');
  return async function authenticateAdministrator(token: string): Promise<Administrator | undefined> {
    const id = administratorIdIn(token);
    if (id === undefined) return undefined;
    const record = await deps.administrators.get(id);
    const isSame = equalHashes(record?.hash ?? dummy, deps.hashKey(token));
    if (!record || !isSame || isExpired(record, deps.now())) return undefined;
    const { name, role, expires_at: expiresAt } = record;
    return { administrator: true, id, name, role, ...(expiresAt !== null && { expiresAt }) };
  };
}
