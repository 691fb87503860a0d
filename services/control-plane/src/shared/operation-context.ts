import type { Caller, Principal } from '@assay/domain';
import type { RequestContext } from '@assay/http';

/** Part of a request's context that operations on resources use. The project always comes from the key. */
export interface OperationContext {
  readonly caller: Pick<Caller, 'projectId'>;
}

/** Context of an operation whose response names the project. */
export interface NamedProjectContext {
  readonly caller: Pick<Caller, 'projectId' | 'projectName'>;
}

/** Part of a request's context that administrative operations use and that audit entries record. */
export interface RequestActor extends Partial<Pick<RequestContext<Principal>, 'requestId' | 'origin'>> {
  readonly caller: Principal;
}
