import type { RouteAccess } from '@assay/contracts';
import type { Administrator, Caller, Principal } from '@assay/domain';

/** Type of the caller of an operation, by the access of its route. */
export type CallerOf<A extends RouteAccess> = A extends 'public'
  ? undefined
  : A extends 'admin'
    ? Administrator
    : A extends 'admin-or-project'
      ? Principal
      : Caller;
