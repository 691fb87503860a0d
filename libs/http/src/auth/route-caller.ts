import type { RouteAccess } from '@assay/contracts';
import type { Administrator, Caller, Principal } from '@assay/domain';
import type { DataPlane } from './data-plane.js';

/** Type of the caller of an operation, by the access of its route. */
export type CallerOf<A extends RouteAccess> = A extends 'public'
  ? undefined
  : A extends 'data-plane'
    ? DataPlane
    : A extends 'admin'
      ? Administrator
      : A extends 'admin-or-project'
        ? Principal
        : Caller;

/** Who calls any route; undefined on a public one. */
export type AnyCaller = Principal | DataPlane | undefined;
