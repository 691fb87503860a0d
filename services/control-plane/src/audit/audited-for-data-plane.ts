import type { ActingKey, ControlPlane } from '@assay/control-plane-client';
import type { RequestActor } from '../shared/operation-context.js';
import type { Audit } from './audit.js';

type Written = Pick<ControlPlane, 'addToQueue' | 'markQueueEvent' | 'createDatapoints'>;

/**
 * The same, with an entry of the audit trail for what people do through the data plane. As everywhere the deed comes first: when the entry cannot be
 * written, the answer is `UNAVAILABLE`, and the same call again writes one.
 */
export function auditedForDataPlane(
  { addToQueue, markQueueEvent, createDatapoints }: Written,
  audit: Audit,
): Written {
  return {
    addToQueue,
    markQueueEvent: async (mark) => {
      const entry = await markQueueEvent(mark);
      const { projectId, queueId } = mark;
      if (entry)
        await audit(
          { action: 'queue.event_marked', projectId, subjectId: queueId, fields: ['done'] },
          askerOf(mark.by, projectId),
        );
      return entry;
    },
    createDatapoints: async (target, datapoints) => {
      const isCreated = await createDatapoints(target, datapoints);
      const [first] = datapoints;
      const { projectId, datasetId } = target;
      if (!isCreated || !first) return isCreated;
      const deed = { action: datasetId === undefined ? 'datapoint.created' : 'dataset.changed', projectId };
      await audit({ ...deed, subjectId: datasetId ?? first.id }, askerOf(target.by, projectId));
      return true;
    },
  };
}

/** Who acts by what the data plane says: the key, of which only the id is known here. */
function askerOf({ keyId, requestId, address, dataPlaneId }: ActingKey, projectId: string): RequestActor {
  const dataPlane = dataPlaneId === undefined ? undefined : { id: dataPlaneId, address: '' };
  return {
    caller: { projectId, projectName: '', keyId, scope: 'project' },
    requestId,
    origin: { address, dataPlane },
  };
}
