import { isAdministrator, subjectOf } from '@assay/domain';
import { AppError } from '@assay/errors';
import type { Actor } from '../../audit/audit.js';
import type { ApiKeyCollection } from './key-document.js';

/**
 * Returns when a new key expires, null for never: no later than the key that creates it, and then when none was asked for. What a person
 * creates outlives the token of the request.
 * @throws AppError `FORBIDDEN` if it was asked to expire later, `UNAUTHORIZED` if the key that creates it was revoked
 */
export async function expiryOfNewKey(
  { keys, by }: { readonly keys: ApiKeyCollection; readonly by: Actor },
  asked: string | null | undefined,
): Promise<string | null> {
  if (by === 'process' || isAdministrator(by.caller)) return asked ?? null;
  if (subjectOf(by.caller.keyId) !== undefined) return asked ?? null;
  const creator = await keys.get(by.caller.keyId);
  // A process may know the key for some time after it was revoked.
  if (creator === undefined || creator.revoked_at !== null)
    throw new AppError('UNAUTHORIZED', 'the key of the request was revoked');
  const { expires_at: latest } = creator;
  if (latest === null) return asked ?? null;
  if (asked !== undefined && asked !== null && Date.parse(asked) > Date.parse(latest))
    throw new AppError('FORBIDDEN', 'a key cannot create a key that expires later than itself');
  return asked ?? latest;
}
