import type { ResponseOf, RequestOf, Route } from '@assay/contracts';
import type { Caller } from '@assay/domain';
import {
  ByteContent,
  HandlerResponse,
  JsonStream,
  LineStream,
  bind,
  type Binding,
  type Operation,
  type OperationResult,
  type RequestContext,
} from '@assay/http';
import { type Audit, sentFields } from './audit.js';

type ProjectRoute = Route & { readonly access: 'project' };

/**
 * Binds an operation that changes resources to its route, with an audit entry.
 * @param action action of the entry, or a function that derives it from the request
 * @param subject returns the id of the changed resource
 */
export type BindAudited = <R extends ProjectRoute>(
  route: R,
  operation: Operation<R>,
  action: string | ((request: RequestOf<R>) => string),
  subject: (request: RequestOf<R>, response: ResponseOf<R>) => string,
) => Binding;

/**
 * Returns the binder of audited operations. The operation runs first, then its audit entry is written, then
 * the response is sent. If the entry cannot be written, the response is 503 although the change was made, as
 * may happen with any 503 to a write.
 */
export function makeBindAudited(deps: {
  audit: Audit;
  requireProject: (projectId: string) => Promise<void>;
}): BindAudited {
  return function bindAudited(route, operation, action, subject) {
    return bind(route, async (request, context) => {
      // The route's access admits only project keys.
      const actor = context as RequestContext<Caller>;
      const { projectId } = actor.caller;
      await deps.requireProject(projectId);
      const response = await operation(request, context);
      const name = typeof action === 'string' ? action : action(request);
      const subjectId = subject(request, bodyOf(response));
      const fields = sentFields(route.body, request.body);
      await deps.audit({ action: name, projectId, subjectId, fields }, actor);
      return response;
    });
  };
}

/** @throws Error for a streamed response, which only reads have */
function bodyOf<T>(response: OperationResult<T>): T {
  const body = response instanceof HandlerResponse ? response.body : response;
  if (body instanceof JsonStream || body instanceof LineStream || body instanceof ByteContent)
    throw new Error('an audited operation cannot stream its response');
  return body;
}
