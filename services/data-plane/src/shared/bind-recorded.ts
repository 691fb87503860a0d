import type { RequestOf, Route } from '@assay/contracts';
import type { BegunAdministration, ControlPlane } from '@assay/control-plane-client';
import type { Administrator } from '@assay/domain';
import { bind, type Binding, type Operation, type RequestContext } from '@assay/http';

type AdministrativeRoute = Route & { readonly access: 'admin' };

/**
 * Binds an operation of administrators, which the audit trail names before it begins.
 * @param begun what begins, and the id of its subject or a word for its kind; undefined for a request that only reads
 */
export type BindRecorded = <R extends AdministrativeRoute>(
  route: R,
  operation: Operation<R>,
  begun: (request: RequestOf<R>) => Pick<BegunAdministration, 'action' | 'subjectId'> | undefined,
) => Binding;

/** Returns the binder of recorded operations. When the entry cannot be written, the response is 503 and nothing has begun. */
export function makeBindRecorded({
  controlPlane,
}: {
  readonly controlPlane: Pick<ControlPlane, 'recordAdministration'>;
}): BindRecorded {
  return function bindRecorded(route, operation, begun) {
    return bind(route, async (request, context) => {
      const entry = begun(request);
      if (entry !== undefined) {
        const fields = Object.keys((request.body as object | undefined) ?? {});
        await controlPlane.recordAdministration({ ...entry, fields, by: actingAdministrator(context) });
      }
      return operation(request, context);
    });
  };
}

function actingAdministrator({
  caller: { id, name },
  requestId,
  origin: { address, identity },
}: RequestContext<Administrator>): BegunAdministration['by'] {
  return { id, name, requestId, address, ...(identity !== undefined && { identity }) };
}
