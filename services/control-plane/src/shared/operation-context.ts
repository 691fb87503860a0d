import type { Caller } from '@assay/domain';

/** The part of a request's context that operations on resources look at: the project comes from the key and from nowhere else. */
export interface OperationContext {
  readonly caller: Pick<Caller, 'projectId'>;
}
