import type { ActingKey, ControlPlane } from '@assay/control-plane-client';
import type { RequestActor } from '../shared/operation-context.js';
import type { Audit } from './audit.js';

type Written = Pick<
  ControlPlane,
  'addToQueue' | 'startBackfill' | 'markQueueEvent' | 'leaseQueueEvent' | 'createDatapoints'
>;

/**
 * Wraps the interface for data planes: writes an audit entry for what people do through the data plane. The
 * action runs before its entry is written. If the entry cannot be written, the call fails with `UNAVAILABLE`,
 * and a retry writes one.
 */
export function auditedForDataPlane(
  { addToQueue, startBackfill, markQueueEvent, leaseQueueEvent, createDatapoints }: Written,
  audit: Audit,
): Written {
  return {
    addToQueue,
    leaseQueueEvent,
    startBackfill: async (backfill) => {
      const start = await startBackfill(backfill);
      const { projectId, by } = backfill;
      if (start.job)
        await audit(
          { action: 'job.started', projectId, subjectId: start.job.jobId, fields: ['queue_id'] },
          askerOf(by, projectId),
        );
      return start;
    },
    markQueueEvent: async (change) => {
      const entry = await markQueueEvent(change);
      const { projectId, queueId } = change;
      if (entry)
        await audit(
          { action: 'queue.event_marked', projectId, subjectId: queueId, fields: ['done'] },
          askerOf(change.by, projectId),
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

/** Returns the actor that the data plane names: the key, of which only the id is known here. */
export function askerOf(
  { keyId, requestId, address, identity, dataPlaneId }: ActingKey,
  projectId: string,
): RequestActor {
  const dataPlane = dataPlaneId === undefined ? undefined : { id: dataPlaneId, address: '' };
  return {
    caller: { projectId, projectName: '', keyId, scope: 'project' },
    requestId,
    origin: { address, dataPlane, ...(identity !== undefined && { identity }) },
  };
}
