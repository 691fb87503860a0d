import type { Principal } from '@assay/domain';
import type { RequestContext } from '@assay/http';

/** The part of a request's context that the administration looks at, and that its audit entries say. */
export interface RequestActor extends Partial<Pick<RequestContext<Principal>, 'requestId' | 'origin'>> {
  readonly caller: Principal;
}
