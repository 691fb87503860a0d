import type { Principal } from '@assay/domain';

/** The part of a request's context that the administration of projects and keys looks at. */
export interface Asker {
  readonly caller: Principal;
}
