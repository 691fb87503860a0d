import type { ResponseOf, RequestOf, Route } from '@assay/contracts';
import type { Caller } from '@assay/domain';
import { HandlerResponse, bind, type Binding, type Operation, type RequestContext } from '@assay/http';
import type { Audit } from './audit.js';
import { sentFields } from './sent-fields.js';

type ProjectRoute = Route & { readonly access: 'project' };

/**
 * Plugs an operation that changes resources into its route.
 * @param action what is done, if need be by the request
 * @param subject id of what it is done to
 */
export type BindAudited = <R extends ProjectRoute>(
  route: R,
  operation: Operation<R>,
  action: string | ((request: RequestOf<R>) => string),
  subject: (request: RequestOf<R>, answer: ResponseOf<R>) => string,
) => Binding;

/**
 * The change is made, then its audit entry is written, then it is answered. When the entry cannot be written, the answer is 503 and the
 * change may have been made, as with any other 503 to a write.
 */
export function makeBindAudited(deps: {
  audit: Audit;
  requireProject: (projectId: string) => Promise<void>;
}): BindAudited {
  return function bindAudited(route, operation, action, subject) {
    return bind(route, async (request, context) => {
      // Who may call was checked against the route's access, so it is a key of a project.
      const asker = context as RequestContext<Caller>;
      const { projectId } = asker.caller;
      await deps.requireProject(projectId);
      const answer = await operation(request, context);
      const deed = { action: typeof action === 'string' ? action : action(request), projectId };
      const subjectId = subject(request, answer instanceof HandlerResponse ? answer.body : answer);
      await deps.audit({ ...deed, subjectId, fields: sentFields(route.body, request.body) }, asker);
      return answer;
    });
  };
}
