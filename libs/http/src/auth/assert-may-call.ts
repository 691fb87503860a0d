import type { Route } from '@assay/contracts';
import type { Principal } from '@assay/domain';
import { assertPermissions } from './assert-permissions.js';
import { assertAccess } from './bearer-auth.js';

/** Checks that the scope and the permissions of the sender's key include the route. @throws AppError `FORBIDDEN` */
export function assertMayCall(route: Route, principal: Principal): void {
  assertAccess(route.access, principal);
  assertPermissions(route, principal);
}
