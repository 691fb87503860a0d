import type { ControlPlane } from '@assay/control-plane-client';
import type { Audit } from './audit.js';

/** Writes the entry of administration of a data plane before it begins, so that none is without one. */
export function makeRecordAdministration({
  audit,
}: {
  readonly audit: Audit;
}): ControlPlane['recordAdministration'] {
  return async function recordAdministration({ action, subjectId, fields, by, dataPlaneId }) {
    const { id, name, requestId, address, identity } = by;
    const dataPlane = dataPlaneId === undefined ? undefined : { id: dataPlaneId, address: '' };
    await audit(
      { action, projectId: null, subjectId, fields },
      {
        // Entries do not name the role, which the data plane has checked.
        caller: { administrator: true, id, name, role: 'admin' },
        requestId,
        origin: { address, dataPlane, ...(identity !== undefined && { identity }) },
      },
    );
  };
}
