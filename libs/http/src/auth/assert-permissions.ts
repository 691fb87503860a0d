import { requiredPermissions, type Route } from '@assay/contracts';
import { isAdministrator, missingPermission, type Principal } from '@assay/domain';
import { AppError } from '@assay/errors';

/**
 * Checks that a key which is restricted to permissions has those of the route. Other keys have all rights of their
 * scope.
 * @throws AppError `FORBIDDEN`, which names the permission
 */
export function assertPermissions(route: Route, principal: Principal | undefined): void {
  if (principal === undefined || isAdministrator(principal) || principal.permissions === undefined) return;
  const required = requiredPermissions(route);
  if (required === undefined) throw new AppError('FORBIDDEN', 'this needs a key without restrictions');
  const missing = missingPermission(principal, required);
  if (missing !== undefined) throw new AppError('FORBIDDEN', `this key lacks the permission ${missing}`);
}
