import { isAdministrator, missingPermission, type Permission, type Principal } from '@assay/domain';
import { AppError } from '@assay/errors';

/**
 * Checks that a new key gets no permission that its creator lacks. An empty list stands for all permissions.
 * @throws AppError `FORBIDDEN`
 */
export function assertMayGrant(creator: Principal, permissions: readonly Permission[]): void {
  if (isAdministrator(creator) || creator.permissions === undefined) return;
  if (permissions.length > 0 && missingPermission(creator, permissions) === undefined) return;
  throw new AppError('FORBIDDEN', 'a key cannot create a key with more permissions than its own');
}
