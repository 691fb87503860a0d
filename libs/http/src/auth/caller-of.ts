import type { RouteAccess } from '@assay/contracts';
import type { Administrator, Caller, Principal } from '@assay/domain';

/** Who an operation is called by, given who may call its route. */
export type CallerOf<A extends RouteAccess> = A extends 'public'
  ? undefined
  : A extends 'admin'
    ? Administrator
    : A extends 'admin-or-project'
      ? Principal
      : Caller;
