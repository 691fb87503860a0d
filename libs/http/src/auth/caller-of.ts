import type { RouteAccess } from '@assay/contracts';
import type { Administrator, Caller, Principal } from '@assay/domain';
import type { DataPlane } from './data-plane.js';

/** Who an operation is called by, given who may call its route. */
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
