import { requiredPermissions, requiredRole, type Route } from '@assay/contracts';
import {
  includesRole,
  isAdministrator,
  missingPermission,
  type Administrator,
  type Principal,
} from '@assay/domain';
import { AppError } from '@assay/errors';

/**
 * Checks that a key which is restricted to permissions has those of the route, and an administrator its role. Other keys have all rights of
 * their scope.
 * @throws AppError `FORBIDDEN`, which names the permission or role
 */
export function assertPermissions(route: Route, principal: Principal | undefined): void {
  if (principal === undefined) return;
  if (isAdministrator(principal)) return assertRole(route, principal);
  if (principal.permissions === undefined) return;
  const required = requiredPermissions(route);
  if (required === undefined) throw new AppError('FORBIDDEN', 'this needs a key without restrictions');
  const missing = missingPermission(principal, required);
  if (missing !== undefined) throw new AppError('FORBIDDEN', `this key lacks the permission ${missing}`);
}

function assertRole(route: Route, { role }: Administrator): void {
  const needed = requiredRole(route);
  if (!includesRole(role, needed))
    throw new AppError('FORBIDDEN', `this needs an administrator with the role ${needed}`);
}
